import mindspore


class TorchLogSoftmax(mindspore.nn.Cell):
    """Logarithm of the softmax along `dim`; without one along the axis that PyTorch guesses from their number."""

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def construct(self, input):
        return torch_log_softmax(input, self.dim)
