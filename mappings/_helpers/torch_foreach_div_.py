def torch_foreach_div_(tensors, others):
    """PyTorch's _foreach_div_: divides each tensor by the one at its place in another list, or a number, in place."""
    torch_foreach_in_place(lambda one, other: one / other, tensors, others)
