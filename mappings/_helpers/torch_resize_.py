import mindspore


def torch_resize_(input, *size, memory_format=None):
    """Gives the tensor itself another shape, as PyTorch's resize_ does: elements stay in their order, new ones (which
    PyTorch leaves undefined) are 0."""
    shape = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    if tuple(input.shape) == shape:
        return input
    if isinstance(input, mindspore.Parameter):
        raise ValueError("A Parameter of MindSpore keeps its shape: make a new one instead of resizing it.")
    count = 1
    for length in shape:
        count *= length
    values = mindspore.ops.stop_gradient(input).flatten()
    if count > input.size:
        zeros = mindspore.ops.zeros((count - input.size,), input.dtype)
        values = mindspore.ops.cat((values, zeros)) if input.size else zeros
    values = (
        values[:count].reshape(shape)
        if count
        else mindspore.Tensor(shape=shape, dtype=input.dtype, init="zeros")
    )
    input.assign_value(values)
    return input
