import mindspore


def torch_std(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """PyTorch's standard deviation: the gradient of equal values is 0, where that of mindspore.ops.std is NaN."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    axes = tuple(dim) if isinstance(dim, (tuple, list)) else dim
    if 0 in input.shape:  # PyTorch's NaN, in the shape of the sums
        return mindspore.mint.sum(input, axes, keepdim) * float("nan")
    variance = input.var(axes, ddof=int(unbiased) if correction is None else correction, keepdims=keepdim)
    is_zero = mindspore.ops.stop_gradient(variance) == 0
    root = mindspore.ops.sqrt(mindspore.ops.where(is_zero, mindspore.ops.ones_like(variance), variance))
    return mindspore.ops.where(is_zero, mindspore.ops.zeros_like(root), root)
