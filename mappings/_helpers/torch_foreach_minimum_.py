import mindspore


def torch_foreach_minimum_(tensors, others):
    """PyTorch's _foreach_minimum_: takes the smaller of each tensor and that at its place in another list, in place."""
    torch_foreach_in_place(mindspore.ops.minimum, tensors, others)
