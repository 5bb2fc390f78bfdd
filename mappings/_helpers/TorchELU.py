import mindspore


class TorchELU(mindspore.nn.ELU):
    """mindspore.nn.ELU with the arguments of PyTorch's ELU."""

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__(alpha=float(alpha))
