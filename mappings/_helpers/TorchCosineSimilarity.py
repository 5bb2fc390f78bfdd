import mindspore


class TorchCosineSimilarity(mindspore.nn.Cell):
    """PyTorch's CosineSimilarity: the cosine of the angle between two inputs along an axis."""

    def __init__(self, dim=1, eps=1e-8):
        super().__init__()
        self.dim = dim
        self.eps = eps

    def construct(self, x1, x2):
        return mindspore.ops.cosine_similarity(x1, x2, self.dim, self.eps)
