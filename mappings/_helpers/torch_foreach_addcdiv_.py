def torch_foreach_addcdiv_(tensors, first, second, value=1):
    """PyTorch's _foreach_addcdiv_: adds to each tensor a quotient of those at its place in two others, in place."""
    torch_foreach_in_place(lambda one, x, y, value: one + x / y * value, tensors, first, second, value)
