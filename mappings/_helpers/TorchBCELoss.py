import mindspore


class TorchBCELoss(mindspore.nn.LossBase):
    """Binary cross entropy of probabilities, as torch defines it."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
        self.weight = weight
        self.reduction = reduction

    def construct(self, input, target):
        return torch_binary_cross_entropy(input, target, self.weight, reduction=self.reduction)
