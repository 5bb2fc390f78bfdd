import mindspore


def torch_scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    """PyTorch's scatter_reduce: combines values at the given places of one axis, on the flattened tensor."""
    ops, dim = mindspore.ops, dim % input.ndim
    places, step = 0, 1
    for axis in reversed(range(input.ndim)):
        shape = [1] * axis + [index.shape[axis]] + [1] * (input.ndim - axis - 1)
        along = index if axis == dim else ops.arange(index.shape[axis]).reshape(shape)
        places, step = places + along * step, step * input.shape[axis]
    places = places.reshape(-1, 1)
    added = src[tuple(slice(size) for size in index.shape)].reshape(-1)
    flat = input.reshape(-1)
    if not include_self:
        neutral = {"prod": 1, "amax": -float("inf"), "amin": float("inf")}.get(reduce, 0)
        flat = ops.tensor_scatter_update(flat, places, ops.full_like(added, neutral))
    combine = {"prod": "mul", "amax": "max", "amin": "min"}.get(reduce, "add")
    result = getattr(ops, "tensor_scatter_" + combine)(flat, places, added)
    if reduce == "mean":
        first = ops.ones_like(flat)
        if not include_self:
            first = ops.tensor_scatter_update(first, places, ops.zeros_like(added))
        result = result / ops.tensor_scatter_add(first, places, ops.ones_like(added))
    return result.reshape(input.shape)
