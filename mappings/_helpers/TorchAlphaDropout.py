import mindspore


class TorchAlphaDropout(mindspore.nn.Cell):
    """PyTorch's AlphaDropout: sets values to the lower bound of SELU and keeps mean and variance."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.p = p
        self.inplace = inplace
        self.set_train()

    def construct(self, input):
        if not self.training or self.p == 0:
            return input
        if self.p == 1:
            return mindspore.ops.zeros_like(input)
        shape = input.shape
        kept = (mindspore.ops.rand(shape) >= self.p).astype(input.dtype)
        bound = 1.7580993408473766
        scale = ((bound * bound * self.p + 1) * (1 - self.p)) ** -0.5
        return input * kept * scale + (kept - 1 + self.p) * (bound * scale)
