def torch_filled(tensor, values):
    """The tensor, with new values written into it."""
    tensor[:] = values
    return tensor
