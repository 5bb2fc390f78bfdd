import mindspore


class TorchLoss(mindspore.nn.LossBase):
    """The base class of PyTorch's losses: it keeps how they are reduced."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            averages = "sum" if size_average is False else "mean"
            reduction = "none" if reduce is False else averages
        self.reduction = reduction
        self.set_train()
