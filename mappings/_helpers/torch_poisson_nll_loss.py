def torch_poisson_nll_loss(
    input,
    target,
    log_input=True,
    full=False,
    size_average=None,
    eps=1e-8,
    reduce=None,
    reduction="mean",
):
    """PyTorch's poisson_nll_loss, which MindSpore has as a layer."""
    return TorchPoissonNLLLoss(log_input, full, size_average, eps, reduce, reduction)(input, target)
