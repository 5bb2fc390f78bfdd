import mindspore


def torch_vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    """PyTorch's vector_norm: the gradient of a vector of zeros is 0, where mindspore.ops.norm has NaN."""
    x = (x if dtype is None else x.astype(dtype)).abs()
    ord, axes = float(ord), tuple(range(x.ndim)) if dim is None else dim
    axes = tuple(axes) if isinstance(axes, (list, tuple)) else (axes,)
    axes = axes if axes or dim is None else tuple(range(x.ndim))
    if x.ndim == 0:
        return (x != 0).astype(x.dtype) if ord == 0 else x
    if 0 in x.shape and 0 <= ord < float("inf"):  # MindSpore's sum of nothing is not set
        axes = [axis % x.ndim for axis in axes]
        sizes = [
            1 if axis in axes else size for axis, size in enumerate(x.shape) if keepdim or axis not in axes
        ]
        return mindspore.ops.zeros(tuple(sizes), x.dtype)
    if abs(ord) == float("inf"):
        extreme = mindspore.ops.amax if ord > 0 else mindspore.ops.amin
        return extreme(x, axes, keepdim)
    if ord == 0:
        return (x != 0).astype(x.dtype).sum(axes, keepdims=keepdim)
    total = (x if ord == 1 else x * x if ord == 2 else x**ord).sum(axes, keepdims=keepdim)
    if ord == 1:
        return total
    is_zero = mindspore.ops.stop_gradient(total) == 0
    total = mindspore.ops.where(is_zero, mindspore.ops.ones_like(total), total)
    root = mindspore.ops.sqrt(total) if ord == 2 else total ** (1 / ord)
    return mindspore.ops.where(is_zero, mindspore.ops.zeros_like(root), root)
