import mindspore


class TorchMultiLabelSoftMarginLoss(mindspore.nn.MultiLabelSoftMarginLoss):
    """mindspore.nn.MultiLabelSoftMarginLoss with the arguments of PyTorch's."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        reduction = torch_reduction(size_average, reduce, reduction)
        super().__init__(weight, reduction)
