import mindspore


class ReLU6ByReLU(mindspore.nn.ReLU6):
    """mindspore.nn.ReLU6, written so that it can be differentiated twice."""

    def construct(self, x):
        return relu6_by_relu(x)
