import mindspore


def torch_index_put(input, indices, values, accumulate=False):
    """PyTorch's index_put: writes values into a copy, or adds them; takes masks, and None for a whole axis."""
    if not accumulate:
        result = input.copy()
        result[tuple(slice(None) if index is None else index for index in indices)] = values
        return result
    places = mindspore.ops.arange(input.size).reshape(input.shape)
    places = places[tuple(slice(None) if index is None else index for index in indices)]
    if places.size == 0:
        return input.copy()
    values = values.broadcast_to(places.shape).astype(input.dtype)
    flat = mindspore.ops.tensor_scatter_add(input.reshape(-1), places.reshape(-1, 1), values.reshape(-1))
    return flat.reshape(input.shape)
