import mindspore


class TorchNLLLoss(mindspore.nn.NLLLoss):
    """mindspore.nn.NLLLoss with the arguments of PyTorch's, of classes that may be ruled out by minus infinity."""

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        reduction = torch_reduction(size_average, reduce, reduction)
        super().__init__(weight, ignore_index, reduction)

    def construct(self, logits, labels):
        return torch_nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)
