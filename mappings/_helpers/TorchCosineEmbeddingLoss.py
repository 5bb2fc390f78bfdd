import mindspore


class TorchCosineEmbeddingLoss(mindspore.nn.CosineEmbeddingLoss):
    """mindspore.nn.CosineEmbeddingLoss with the arguments of PyTorch's."""

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        reduction = torch_reduction(size_average, reduce, reduction)
        super().__init__(float(margin), reduction)
