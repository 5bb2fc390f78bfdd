import mindspore


def torch_logsumexp(input, dim, keepdim=False):
    """PyTorch's logsumexp: of nothing but -inf it is -inf, where mindspore.ops.logsumexp has NaN."""
    ops = mindspore.ops
    axes = tuple(dim) if isinstance(dim, (list, tuple)) else (dim,)
    largest = ops.stop_gradient(ops.amax(input, axes, True))
    largest = ops.where(ops.isfinite(largest), largest, ops.zeros_like(largest))
    total = ops.exp(input - largest).sum(axes, keepdims=True)
    is_nothing = ops.stop_gradient(total) == 0
    found = ops.log(ops.where(is_nothing, ops.ones_like(total), total)) + largest
    found = ops.where(is_nothing, ops.full_like(found, -float("inf")), found)
    return found if keepdim else found.squeeze(axes)
