import mindspore


class TorchL1Loss(mindspore.nn.L1Loss):
    """mindspore.nn.L1Loss with the arguments of PyTorch's."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        if size_average is not None or reduce is not None:
            reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
        super().__init__(reduction)
