import mindspore


def torch_where(condition, input=None, other=None, *, out=None):
    """PyTorch's where, where it is handed on: one of two values for each element, or the indices of those that hold."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    if input is None:
        return mindspore.ops.nonzero(condition).unbind(1)
    return mindspore.ops.where(condition, input, other)
