import mindspore


class TorchReLU(mindspore.nn.ReLU):
    """mindspore.nn.ReLU with the arguments of PyTorch's ReLU."""

    def __init__(self, inplace=False):
        super().__init__()
