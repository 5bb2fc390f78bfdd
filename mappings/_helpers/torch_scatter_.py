def torch_scatter_(input, dim, index, src=None, *, value=None, reduce=None):
    """PyTorch's scatter_ of a tensor or one number: writes into the tensor itself and gives it back."""
    input[()] = torch_scatter(input, dim, index, src if value is None else value, reduce)
    return input
