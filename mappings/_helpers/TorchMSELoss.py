import mindspore


class TorchMSELoss(mindspore.nn.MSELoss):
    """mindspore.nn.MSELoss with the arguments of PyTorch's."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        reduction = torch_reduction(size_average, reduce, reduction)
        super().__init__(reduction)
