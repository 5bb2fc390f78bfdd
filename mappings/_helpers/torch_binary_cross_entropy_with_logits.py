import mindspore


def torch_binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    """PyTorch's binary cross entropy of logits; MindSpore's own mean has a wrong gradient on CPU where one backward
    pass goes through two calls of different sizes."""
    reduction = torch_reduction(size_average, reduce, reduction)
    # A single number changes no dtype in PyTorch, and NumPy's are of float64.
    weight, pos_weight = (
        scale.astype(input.dtype) if scale is not None and scale.ndim == 0 else scale
        for scale in (weight, pos_weight)
    )
    loss = mindspore.ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, "none")
    if reduction == "none":
        return loss
    return loss.mean() if reduction == "mean" else loss.sum()
