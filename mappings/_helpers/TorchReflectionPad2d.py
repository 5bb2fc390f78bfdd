import mindspore


class TorchReflectionPad2d(mindspore.nn.ReflectionPad2d):
    """PyTorch's ReflectionPad2d: it takes lists, too."""

    def __init__(self, padding):
        super().__init__(tuple(padding) if hasattr(padding, "__len__") else padding)


TorchReflectionPad2d.__name__ = "ReflectionPad2d"  # code may ask for it
