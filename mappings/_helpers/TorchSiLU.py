import mindspore


class TorchSiLU(mindspore.nn.SiLU):
    """mindspore.nn.SiLU with the arguments of PyTorch's SiLU."""

    def __init__(self, inplace=False):
        super().__init__()
