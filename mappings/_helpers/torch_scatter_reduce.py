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
    places, step = 0, 1
    for axis in reversed(range(input.ndim)):
        shape = [1] * axis + [index.shape[axis]] + [1] * (input.ndim - axis - 1)
        along = index if axis == dim else ops.arange(index.shape[axis]).reshape(shape)
        places, step = places + along * step, step * input.shape[axis]
    src = src[tuple(slice(size) for size in index.shape)]
    parts = zip(places.split(1, dim), src.split(1, dim), strict=True)
    places, added = places.reshape(-1, 1), src.reshape(-1)
    flat = input.reshape(-1)
    if not include_self:
        neutral = {"prod": 1, "amax": -float("inf"), "amin": float("inf")}.get(reduce, 0)
        flat = ops.tensor_scatter_update(flat, places, ops.full_like(added, neutral))
    if (
        reduce == "prod"
    ):  # one slice after the other: the gradient is wrong where a place stands twice in a call
        for some, values in parts:
            flat = ops.tensor_scatter_mul(flat, some.reshape(-1, 1), values.reshape(-1))
        return flat.reshape(input.shape)
    combine = {"amax": "max", "amin": "min"}.get(reduce, "add")
    result = getattr(ops, "tensor_scatter_" + combine)(flat, places, added)
    if reduce == "mean":
        first = ops.ones_like(flat)
        if not include_self:
            first = ops.tensor_scatter_update(first, places, ops.zeros_like(added))
        result = result / ops.tensor_scatter_add(first, places, ops.ones_like(added))
    return result.reshape(input.shape)
