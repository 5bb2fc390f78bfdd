import mindspore


class TorchMish(mindspore.nn.Mish):
    """mindspore.nn.Mish with the arguments of PyTorch's Mish."""

    def __init__(self, inplace=False):
        super().__init__()
