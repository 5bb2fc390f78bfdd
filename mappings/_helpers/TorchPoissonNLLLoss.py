import mindspore


class TorchPoissonNLLLoss(mindspore.nn.PoissonNLLLoss):
    """mindspore.nn.PoissonNLLLoss with the arguments of PyTorch's."""

    def __init__(
        self, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"
    ):
        reduction = torch_reduction(size_average, reduce, reduction)
        super().__init__(log_input, full, eps, reduction)
