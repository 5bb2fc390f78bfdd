import mindspore


class TorchLeakyReLU(mindspore.nn.LeakyReLU):
    """mindspore.nn.LeakyReLU with the arguments of PyTorch's LeakyReLU."""

    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__(alpha=negative_slope)
