import mindspore


def torch_new(input, *arguments):
    """PyTorch's Tensor.new: a tensor of the same dtype from data, or one of a shape, whose values are not set."""
    if len(arguments) == 1 and hasattr(arguments[0], "elements"):
        return arguments[0].elements.astype(input.dtype)  # of a storage
    is_data = len(arguments) == 1 and isinstance(arguments[0], (list, mindspore.Tensor))
    if is_data:
        return mindspore.tensor(arguments[0], dtype=input.dtype)
    shape = arguments or (0,)
    return mindspore.ops.zeros(tuple(shape[0]) if isinstance(shape[0], tuple) else shape, input.dtype)
