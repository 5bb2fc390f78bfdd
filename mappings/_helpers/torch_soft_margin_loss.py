import mindspore


def torch_soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """PyTorch's soft_margin_loss, also for targets of another dtype."""
    reduction = torch_reduction(size_average, reduce, reduction)
    loss = mindspore.ops.log1p(mindspore.ops.exp(-target * input))
    return {"mean": loss.mean, "sum": loss.sum}.get(reduction, lambda: loss)()
