import mindspore


class TorchReflectionPad1d(mindspore.nn.ReflectionPad1d):
    """PyTorch's ReflectionPad1d: it takes lists, too."""

    def __init__(self, padding):
        super().__init__(tuple(padding) if hasattr(padding, "__len__") else padding)


TorchReflectionPad1d.__name__ = "ReflectionPad1d"  # code may ask for it
