import mindspore


class TorchCircularPad2d(mindspore.nn.Cell):
    """PyTorch's CircularPad2d: pads with the values of the other side."""

    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * 4 if isinstance(padding, int) else tuple(padding)

    def construct(self, input):
        return mindspore.ops.pad(input, self.padding, mode="circular")
