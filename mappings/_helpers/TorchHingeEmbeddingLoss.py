import mindspore


class TorchHingeEmbeddingLoss(mindspore.nn.LossBase):
    """PyTorch's HingeEmbeddingLoss, for any target."""

    def __init__(self, margin=1.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.margin = margin
        self.reduction = torch_reduction(size_average, reduce, reduction)

    def construct(self, input, target):
        return torch_hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)
