import mindspore


class TorchNLLLoss(mindspore.nn.NLLLoss):
    """mindspore.nn.NLLLoss with the arguments of PyTorch's."""

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        reduction = torch_reduction(size_average, reduce, reduction)
        super().__init__(weight, ignore_index, reduction)
