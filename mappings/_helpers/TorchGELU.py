import mindspore


class TorchGELU(mindspore.nn.GELU):
    """mindspore.nn.GELU with the arguments of PyTorch's GELU."""

    def __init__(self, approximate="none"):
        super().__init__(approximate=approximate == "tanh")
