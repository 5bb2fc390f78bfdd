import mindspore


class TorchPairwiseDistance(mindspore.nn.Cell):
    """PyTorch's PairwiseDistance: the p-norm of the difference of two inputs along the last axis."""

    def __init__(self, p=2.0, eps=1e-6, keepdim=False):
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def construct(self, x1, x2):
        sides = (x1 - x2 + self.eps).abs()
        if self.norm == float("inf"):
            return mindspore.ops.amax(sides, -1, self.keepdim)
        if self.norm == 2:
            return mindspore.ops.sqrt(mindspore.ops.sum(sides * sides, -1, self.keepdim))
        return mindspore.ops.sum(sides**self.norm, -1, self.keepdim) ** (1 / self.norm)
