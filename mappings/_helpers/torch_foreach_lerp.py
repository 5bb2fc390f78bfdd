def torch_foreach_lerp(tensors, others, weight):
    """PyTorch's _foreach_lerp: moves each tensor towards the one at its place in another list."""
    return torch_foreach(lambda one, other, weight: one + (other - one) * weight, tensors, others, weight)
