def torch_foreach_mul(tensors, others):
    """PyTorch's _foreach_mul: multiplies each tensor by that at its place in another list, or a number."""
    return torch_foreach(lambda one, other: one * other, tensors, others)
