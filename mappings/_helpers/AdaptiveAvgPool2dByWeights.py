import mindspore


class AdaptiveAvgPool2dByWeights(mindspore.nn.Cell):
    """mindspore.nn.AdaptiveAvgPool2d, written so that it can be differentiated twice."""

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def construct(self, x):
        return adaptive_avg_pool2d_by_weights(x, self.output_size)
