import mindspore


class TorchSoftmin(mindspore.nn.Cell):
    """Softmax of the negated input along `dim`; without one along the axis that PyTorch guesses from their number."""

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def construct(self, input):
        return torch_softmin(input, self.dim)
