def torch_requires_grad_(module, requires_grad=True):
    """PyTorch's Module.requires_grad_: freezes or unfreezes all parameters, but for the running statistics of norms."""
    for name, parameter in module.parameters_and_names():
        if not name.rpartition(".")[2].startswith(("moving_", "running_")):
            parameter.requires_grad = requires_grad
    return module
