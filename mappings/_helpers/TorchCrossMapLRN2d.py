import mindspore


class TorchCrossMapLRN2d(mindspore.nn.Cell):
    """torch.nn.CrossMapLRN2d, which counts the first channel in every sum after it."""

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def construct(self, input):
        squares = input * input
        reach = (self.size - 1) // 2 + 1
        sums = []
        for channel in range(input.shape[1]):
            first = channel - reach + 1 if channel > reach else 0
            total = mindspore.ops.sum(squares[:, first : channel + reach], 1)
            sums.append(total + squares[:, 0] if first else total)
        scale = mindspore.ops.stack(sums, 1) * (self.alpha / self.size) + self.k
        return input * scale**-self.beta
