import mindspore


def torch_binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """PyTorch's binary cross entropy of probabilities: each logarithm is -100 or more, MindSpore's -27.6 or more; right
    for a single element and for a weight that is broadcast, too."""
    reduction = torch_reduction(size_average, reduce, reduction)
    ops = mindspore.ops
    loss = ops.binary_cross_entropy(input, target, reduction="none")
    kept = [ops.maximum(ops.log(share), -100.0) for share in (input, 1 - input)]
    value = -target * kept[0] - (1 - target) * kept[1]
    loss = loss + ops.stop_gradient(value - loss)  # the gradients of both are the same
    if weight is not None:
        loss = loss * weight
    if reduction == "none":
        return loss
    return loss.mean() if reduction == "mean" else loss.sum()
