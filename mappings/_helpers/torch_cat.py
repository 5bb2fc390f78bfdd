import mindspore


def torch_cat(tensors, dim=0, *, axis=None, out=None):
    """PyTorch's cat: the tensors may differ in dtype, and lists of no elements are passed over."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    tensors = torch_one_dtype(tensors)
    joined = [tensor for tensor in tensors if tensor.shape != (0,)]
    return mindspore.ops.cat(joined, dim if axis is None else axis) if joined else tensors[0]
