import mindspore


def torch_ends_of_nothing(input, dim, keepdim):
    """The largest or smallest values along an axis of a tensor without elements, and their indices: none, if that axis
    has any length."""
    shape = list(input.shape)
    if not shape[dim]:
        raise IndexError(f"Expected reduction dim {dim} to have non-zero size.")
    shape[dim : dim % len(shape) + 1] = [1] if keepdim else []
    return mindspore.ops.zeros(tuple(shape), input.dtype), mindspore.ops.zeros(tuple(shape), mindspore.int64)
