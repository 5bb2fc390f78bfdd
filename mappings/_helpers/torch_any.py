import mindspore


def torch_any(input, dim=None, keepdim=False, *, out=None):
    """PyTorch's any, where it is handed on: over all elements or some axes, of whatever dtype."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    return mindspore.ops.any(input.bool(), dim, keepdim)
