import mindspore


class TorchBCEWithLogitsLoss(mindspore.nn.LossBase):
    """Binary cross entropy of logits, as torch defines it."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__()
        reduction = torch_reduction(size_average, reduce, reduction)
        self.weight = weight
        self.pos_weight = pos_weight
        self.reduction = reduction

    def construct(self, input, target):
        return torch_binary_cross_entropy_with_logits(
            input, target, self.weight, reduction=self.reduction, pos_weight=self.pos_weight
        )
