def torch_foreach_sub_(tensors, others, *, alpha=1):
    """PyTorch's _foreach_sub_: takes from each tensor the one at its place in another list, or a number, in place."""
    torch_foreach_in_place(lambda one, other: one - other * alpha, tensors, others)
