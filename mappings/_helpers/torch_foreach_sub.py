def torch_foreach_sub(tensors, others, *, alpha=1):
    """PyTorch's _foreach_sub: takes from each tensor the one at its place in another list, or a number."""
    return torch_foreach(lambda one, other: one - other * alpha, tensors, others)
