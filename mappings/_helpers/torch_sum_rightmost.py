def torch_sum_rightmost(value, dim):
    """The sum over so many of the last axes, as PyTorch's distributions compute it."""
    return value.reshape((*value.shape[: value.ndim - dim], -1)).sum(-1) if dim else value
