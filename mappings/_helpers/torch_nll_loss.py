import mindspore


def torch_nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """PyTorch's nll_loss, of classes that may be ruled out by minus infinity: mindspore.ops.nll_loss also adds them up,
    times zero, which is NaN."""
    axis = 1 if input.ndim > 1 else 0
    is_ignored = target == ignore_index
    classes = target.masked_fill(is_ignored, 0)
    loss = -mindspore.ops.gather_elements(input, axis, classes.expand_dims(axis)).squeeze(axis)
    weights = mindspore.ops.ones_like(loss) if weight is None else weight[classes]
    weights = weights.masked_fill(is_ignored, 0.0)
    loss = (loss * weights).masked_fill(is_ignored, 0.0)
    if reduction == "none":
        return loss
    return loss.sum() / weights.sum() if reduction == "mean" else loss.sum()
