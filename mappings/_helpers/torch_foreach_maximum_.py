import mindspore


def torch_foreach_maximum_(tensors, others):
    """PyTorch's _foreach_maximum_: takes the greater of each tensor and that at its place in another list, in place."""
    torch_foreach_in_place(mindspore.ops.maximum, tensors, others)
