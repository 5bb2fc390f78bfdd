def torch_unflatten_dense_tensors(flat, tensors):
    """The parts of a tensor of one axis, one after the other, in the shapes of others."""
    found, start = [], 0
    for tensor in tensors:
        found.append(flat[start : start + tensor.size].reshape(tensor.shape))
        start += tensor.size
    return tuple(found)
