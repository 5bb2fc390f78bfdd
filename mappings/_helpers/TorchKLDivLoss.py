import mindspore


class TorchKLDivLoss(mindspore.nn.LossBase):
    """The Kullback-Leibler divergence as torch defines it, with a gradient for the target, too."""

    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__()
        reduction = torch_reduction(size_average, reduce, reduction)
        self.reduction = reduction
        self.log_target = log_target

    def construct(self, input, target):
        return torch_kl_div(input, target, reduction=self.reduction, log_target=self.log_target)
