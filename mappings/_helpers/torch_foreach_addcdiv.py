def torch_foreach_addcdiv(tensors, first, second, value=1):
    """PyTorch's _foreach_addcdiv: adds to each tensor a quotient of those at its place in two others."""
    return torch_foreach(lambda one, x, y, value: one + x / y * value, tensors, first, second, value)
