import mindspore


def torch_kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """PyTorch's Kullback-Leibler divergence: right for zeros in the target, with a gradient for the target, too."""
    reduction = torch_reduction(size_average, reduce, reduction)
    loss = (
        mindspore.ops.exp(target) * (target - input)
        if log_target
        else torch_xlogy(target, target) - target * input
    )
    if reduction == "none":
        return loss
    if reduction == "mean":
        return loss.mean()
    return loss.sum() / input.shape[0] if reduction == "batchmean" else loss.sum()
