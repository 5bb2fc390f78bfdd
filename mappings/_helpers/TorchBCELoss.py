import mindspore


class TorchBCELoss(mindspore.nn.Cell):
    """Binary cross entropy of probabilities; right for a single element and for a weight that is broadcast, too."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.weight = weight
        self.reduction = reduction

    def construct(self, input, target):
        loss = mindspore.ops.binary_cross_entropy(input, target, reduction="none")
        if self.weight is not None:
            loss = loss * self.weight
        if self.reduction == "none":
            return loss
        return loss.mean() if self.reduction == "mean" else loss.sum()
