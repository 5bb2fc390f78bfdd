import mindspore


def torch_scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    """PyTorch's scatter_reduce: combines values at the given places of one axis, on the flattened tensor."""
    if input.ndim == 0:
        return torch_scatter_reduce(
            input.reshape(1), 0, index.reshape(-1), src.reshape(-1), reduce, include_self=include_self
        ).reshape(())
    if index.size == 0:
        return input.copy()
    ops, dim = mindspore.ops, dim % input.ndim
    step = 1
    for size in input.shape[dim + 1 :]:
        step = step * size
    first = [slice(1 if axis == dim else size) for axis, size in enumerate(index.shape)]
    each = ops.arange(input.size).reshape(input.shape)[tuple(first)] + index * step
    src = src[tuple(slice(size) for size in index.shape)]
    places, added, flat = each.reshape(-1, 1), src.reshape(-1), input.reshape(-1)
    if not include_self:
        neutral = {"prod": 1, "amax": -float("inf"), "amin": float("inf")}.get(reduce, 0)
        flat = ops.tensor_scatter_update(flat, places, ops.full_like(added, neutral))
    if reduce == "prod":  # slice by slice: the gradient is wrong where a place stands twice in a call
        for at in range(index.shape[dim]):
            some, values = ops.narrow(each, dim, at, 1), ops.narrow(src, dim, at, 1)
            flat = ops.tensor_scatter_mul(flat, some.reshape(-1, 1), values.reshape(-1))
        return flat.reshape(input.shape)
    combine = {"amax": "max", "amin": "min"}.get(reduce, "add")
    result = getattr(ops, "tensor_scatter_" + combine)(flat, places, added)
    if reduce == "mean":
        counts = ops.ones_like(flat)
        if not include_self:
            counts = ops.tensor_scatter_update(counts, places, ops.zeros_like(added))
        result = result / ops.tensor_scatter_add(counts, places, ops.ones_like(added))
    return result.reshape(input.shape)
