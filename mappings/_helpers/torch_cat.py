import mindspore


def torch_cat(tensors, dim=0, *, axis=None, out=None):
    """PyTorch's cat: the tensors may differ in dtype."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    return mindspore.ops.cat(torch_one_dtype(tensors), dim if axis is None else axis)
