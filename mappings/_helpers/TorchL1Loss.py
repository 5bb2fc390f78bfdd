import mindspore


class TorchL1Loss(mindspore.nn.L1Loss):
    """mindspore.nn.L1Loss with the arguments of PyTorch's."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        reduction = torch_reduction(size_average, reduce, reduction)
        super().__init__(reduction)
