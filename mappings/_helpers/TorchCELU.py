import mindspore


class TorchCELU(mindspore.nn.CELU):
    """mindspore.nn.CELU with the arguments of PyTorch's CELU."""

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__(float(alpha))
