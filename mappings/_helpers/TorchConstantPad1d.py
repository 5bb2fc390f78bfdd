import mindspore


class TorchConstantPad1d(mindspore.nn.ConstantPad1d):
    """PyTorch's ConstantPad1d: negative widths cut. MindSpore's reads what it has cut at the wrong place."""

    def __init__(self, padding, value):
        super().__init__(tuple(padding) if hasattr(padding, "__len__") else int(padding), value)

    def construct(self, input):
        return torch_pad(input, self.padding, value=self.value)
