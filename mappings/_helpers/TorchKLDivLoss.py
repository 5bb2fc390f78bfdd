import mindspore


class TorchKLDivLoss(mindspore.nn.Cell):
    """The Kullback-Leibler divergence as torch defines it, with a gradient for the target, too."""

    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__()
        self.reduction = reduction
        self.log_target = log_target

    def construct(self, input, target):
        if self.log_target:
            loss = mindspore.ops.exp(target) * (target - input)
        else:
            loss = mindspore.ops.xlogy(target, target) - target * input
        if self.reduction == "none":
            return loss
        if self.reduction == "mean":
            return loss.mean()
        return loss.sum() / input.shape[0] if self.reduction == "batchmean" else loss.sum()
