def torch_masked_fill(input, mask, value):
    """PyTorch's masked_fill as a function."""
    return input.masked_fill(mask, value)
