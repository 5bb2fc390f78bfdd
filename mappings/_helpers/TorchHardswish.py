import mindspore


class TorchHardswish(mindspore.nn.HSwish):
    """mindspore.nn.HSwish with the arguments of PyTorch's Hardswish."""

    def __init__(self, inplace=False):
        super().__init__()
