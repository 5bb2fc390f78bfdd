import mindspore


class TorchReflectionPad3d(mindspore.nn.ReflectionPad3d):
    """PyTorch's ReflectionPad3d: it takes lists, too."""

    def __init__(self, padding):
        super().__init__(tuple(padding) if hasattr(padding, "__len__") else padding)


TorchReflectionPad3d.__name__ = "ReflectionPad3d"  # code may ask for it
