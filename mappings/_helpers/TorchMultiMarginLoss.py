import mindspore


class TorchMultiMarginLoss(mindspore.nn.MultiMarginLoss):
    """mindspore.nn.MultiMarginLoss with the arguments of PyTorch's."""

    def __init__(self, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
        reduction = torch_reduction(size_average, reduce, reduction)
        super().__init__(p, float(margin), reduction, weight)
