import mindspore


class TorchCircularPad1d(mindspore.nn.Cell):
    """PyTorch's CircularPad1d: pads with the values of the other side."""

    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * 2 if isinstance(padding, int) else tuple(padding)

    def construct(self, input):
        return mindspore.ops.pad(input, self.padding, mode="circular")
