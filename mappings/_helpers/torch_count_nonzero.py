def torch_count_nonzero(input, dim=None):
    """PyTorch's count_nonzero."""
    return (input != 0).sum() if dim is None else (input != 0).sum(dim)
