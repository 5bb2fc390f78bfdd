def torch_skip_init(module_cls, *args, device=None, **kwargs):
    """PyTorch's skip_init; the parameters are filled all the same, which costs time only."""
    return module_cls(*args, **kwargs)
