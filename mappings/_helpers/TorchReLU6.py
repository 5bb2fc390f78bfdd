import mindspore


class TorchReLU6(mindspore.nn.ReLU6):
    """mindspore.nn.ReLU6 with the arguments of PyTorch's ReLU6."""

    def __init__(self, inplace=False):
        super().__init__()
