def torch_size(*size):
    """The sizes that a PyTorch function is given, one by one or as one sequence, as a tuple."""
    return tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
