import mindspore


class TorchCrossEntropyLoss(mindspore.nn.LossBase):
    """mindspore.ops.cross_entropy as a layer: it takes int64 labels, and classes ruled out by minus infinity, as
    torch's does."""

    def __init__(
        self,
        weight=None,
        size_average=None,
        ignore_index=-100,
        reduce=None,
        reduction="mean",
        label_smoothing=0.0,
    ):
        super().__init__()
        reduction = torch_reduction(size_average, reduce, reduction)
        self.weight = weight
        self.ignore_index = ignore_index
        self.reduction = reduction
        self.label_smoothing = float(label_smoothing)

    def construct(self, input, target):
        return torch_cross_entropy(
            input, target, self.weight, self.ignore_index, self.reduction, self.label_smoothing
        )
