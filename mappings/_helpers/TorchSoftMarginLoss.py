import mindspore


class TorchSoftMarginLoss(mindspore.nn.LossBase):
    """PyTorch's SoftMarginLoss, for any target."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.reduction = torch_reduction(size_average, reduce, reduction)

    def construct(self, input, target):
        return torch_soft_margin_loss(input, target, reduction=self.reduction)
