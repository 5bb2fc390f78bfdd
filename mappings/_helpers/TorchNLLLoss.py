import mindspore


class TorchNLLLoss(mindspore.nn.NLLLoss):
    """mindspore.nn.NLLLoss with the arguments of PyTorch's."""

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        if size_average is not None or reduce is not None:
            reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
        super().__init__(weight, ignore_index, reduction)
