import mindspore


def torch_stack(tensors, dim=0, *, out=None):
    """PyTorch's stack: the tensors may differ in dtype."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    return mindspore.ops.stack(torch_one_dtype(tensors), dim)
