def torch_clamp(input, min=None, max=None, *, out=None):
    """PyTorch's clamp, where it is handed on."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    return input.clamp(min, max)  # the function refuses a number beside a tensor
