import mindspore


def torch_linspace(start, end, steps, *, dtype=None, **unused):
    """PyTorch's linspace, where only running tells its dtype."""
    numbers = mindspore.ops.linspace(start, end, steps)
    return numbers if dtype is None else numbers.astype(dtype)
