def torch_foreach_pow_(tensors, exponents):
    """PyTorch's _foreach_pow_: raises each tensor to the power at its place in a list, or to one power, in place."""
    torch_foreach_in_place(lambda one, exponent: one**exponent, tensors, exponents)
