import mindspore


class TorchLoss(mindspore.nn.LossBase):
    """The base class of PyTorch's losses: it keeps how they are reduced."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.reduction = torch_reduction(size_average, reduce, reduction)
        self.set_train()
