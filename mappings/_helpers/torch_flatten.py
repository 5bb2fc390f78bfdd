def torch_flatten(input, start_dim=0, end_dim=-1):
    """PyTorch's flatten, where it is handed on: it merges all axes unless it is told otherwise."""
    return input.flatten(start_dim, end_dim)
