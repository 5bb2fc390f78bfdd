def torch_foreach_lerp_(tensors, others, weight):
    """PyTorch's _foreach_lerp_: moves each tensor towards the one at its place in another list, in place."""
    torch_foreach_in_place(lambda one, other, weight: one + (other - one) * weight, tensors, others, weight)
