import mindspore


def torch_cumsum(input, dim, *, dtype=None, out=None):
    """PyTorch's cumsum, where it is handed on: sums of truth values are whole numbers."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    if dtype is None and input.dtype == mindspore.bool_:
        dtype = mindspore.int64
    return input.cumsum(dim, dtype=dtype)
