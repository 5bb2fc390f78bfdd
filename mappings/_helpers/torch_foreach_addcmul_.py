def torch_foreach_addcmul_(tensors, first, second, value=1):
    """PyTorch's _foreach_addcmul_: adds to each tensor a product of those at its place in two others, in place."""
    torch_foreach_in_place(lambda one, x, y, value: one + x * y * value, tensors, first, second, value)
