import mindspore


def torch_foreach_maximum(tensors, others):
    """PyTorch's _foreach_maximum: takes the greater of each tensor and that at its place in another list."""
    return torch_foreach(mindspore.ops.maximum, tensors, others)
