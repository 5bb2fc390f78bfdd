def torch_foreach_pow(tensors, exponents):
    """PyTorch's _foreach_pow: raises each tensor to the power at its place in a list, or to one power."""
    return torch_foreach(lambda one, exponent: one**exponent, tensors, exponents)
