import mindspore


class TorchLocalResponseNorm(mindspore.nn.Cell):
    """PyTorch's LocalResponseNorm: divides by a power of the squares of neighbouring channels."""

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1.0):
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def construct(self, input):
        channels = input.shape[1]
        squares = input * input
        before = mindspore.ops.zeros_like(squares[:, :1])
        padded = [before] * (self.size // 2) + [squares] + [before] * ((self.size - 1) // 2)
        padded = mindspore.ops.cat(padded, axis=1)
        total = padded[:, :channels]
        for shift in range(1, self.size):
            total = total + padded[:, shift : shift + channels]
        return input / (total * (self.alpha / self.size) + self.k) ** self.beta
