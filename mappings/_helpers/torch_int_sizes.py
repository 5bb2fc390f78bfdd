def torch_int_sizes(sizes):
    """The sizes that a PyTorch function is given, one by one or as one sequence, as numbers: any may be a tensor."""
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        (sizes,) = sizes
    return tuple(int(size) for size in sizes)
