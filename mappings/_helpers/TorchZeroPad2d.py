import mindspore


class TorchZeroPad2d(mindspore.nn.ZeroPad2d):
    """PyTorch's ZeroPad2d: negative widths cut. MindSpore's reads what it has cut at the wrong place."""

    def __init__(self, padding):
        super().__init__(tuple(padding) if hasattr(padding, "__len__") else int(padding))

    def construct(self, input):
        return torch_pad(input, self.padding, value=self.value)
