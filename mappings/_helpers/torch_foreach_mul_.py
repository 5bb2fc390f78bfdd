def torch_foreach_mul_(tensors, others):
    """PyTorch's _foreach_mul_: multiplies each tensor by that at its place in another list, or a number, in place."""
    torch_foreach_in_place(lambda one, other: one * other, tensors, others)
