def torch_foreach_addcmul(tensors, first, second, value=1):
    """PyTorch's _foreach_addcmul: adds to each tensor a product of those at its place in two others."""
    return torch_foreach(lambda one, x, y, value: one + x * y * value, tensors, first, second, value)
