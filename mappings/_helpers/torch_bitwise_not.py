import mindspore


def torch_bitwise_not(input):
    """PyTorch's bitwise_not: the other one of truth values, and every bit of whole numbers."""
    if input.dtype == mindspore.bool_:
        return mindspore.ops.logical_not(input)
    return mindspore.ops.invert(input)
