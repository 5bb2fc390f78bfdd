import mindspore


def torch_foreach_minimum(tensors, others):
    """PyTorch's _foreach_minimum: takes the smaller of each tensor and that at its place in another list."""
    return torch_foreach(mindspore.ops.minimum, tensors, others)
