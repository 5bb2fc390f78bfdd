def torch_clone(input, *, memory_format=None):
    """PyTorch's clone, where it is handed on; MindSpore has one order of axes in memory."""
    return input.copy()
