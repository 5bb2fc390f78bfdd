import mindspore


def torch_stack(tensors, dim=0, *, out=None):
    """PyTorch's stack: the tensors may differ in dtype."""
    stacked = mindspore.ops.stack(torch_one_dtype(tensors), dim)
    if out is None or out.shape != stacked.shape:
        return stacked  # PyTorch would give the tensor another size, which MindSpore's keep
    out[()] = stacked
    return out
