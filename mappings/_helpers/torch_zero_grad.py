def torch_zero_grad(module):
    """PyTorch's `module.zero_grad()`: clears `grad` of the parameters of a Cell."""
    for parameter in module.get_parameters():
        parameter.grad = None
