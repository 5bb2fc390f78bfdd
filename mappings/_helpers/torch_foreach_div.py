def torch_foreach_div(tensors, others):
    """PyTorch's _foreach_div: divides each tensor by the one at its place in another list, or a number."""
    return torch_foreach(lambda one, other: one / other, tensors, others)
