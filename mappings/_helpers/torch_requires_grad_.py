def torch_requires_grad_(module, requires_grad=True):
    """PyTorch's Module.requires_grad_: freezes or unfreezes all parameters, but for the running statistics of norms."""
    unused = torch_unused_weights(module)
    for name, parameter in module.parameters_and_names():
        is_statistic = name.rpartition(".")[2].startswith(("moving_", "running_"))
        if not is_statistic and id(parameter) not in unused:
            parameter.requires_grad = requires_grad
    return module
