import mindspore


def torch_softmin(input, dim=None, _stacklevel=3, dtype=None):
    """PyTorch's functional.softmin."""
    if dim is None:
        dim = 0 if input.ndim in (1, 3) else 1
    if dtype is not None:
        input = input.astype(dtype)
    return mindspore.ops.softmax(-input, dim)
