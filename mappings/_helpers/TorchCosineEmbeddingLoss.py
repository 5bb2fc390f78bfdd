import mindspore


class TorchCosineEmbeddingLoss(mindspore.nn.CosineEmbeddingLoss):
    """mindspore.nn.CosineEmbeddingLoss with the arguments of PyTorch's."""

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        if size_average is not None or reduce is not None:
            reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
        super().__init__(float(margin), reduction)
