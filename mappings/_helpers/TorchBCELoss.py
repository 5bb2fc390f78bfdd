import mindspore


class TorchBCELoss(mindspore.nn.LossBase):
    """Binary cross entropy of probabilities, as torch defines it."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        reduction = torch_reduction(size_average, reduce, reduction)
        self.weight = weight
        self.reduction = reduction

    def construct(self, input, target):
        return torch_binary_cross_entropy(input, target, self.weight, reduction=self.reduction)
