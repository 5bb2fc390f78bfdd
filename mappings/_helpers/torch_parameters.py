def torch_parameters(module, recurse=True):
    """PyTorch's Module.parameters: all parameters, or its own alone, without the running statistics of norms."""
    unused = torch_unused_weights(module)
    for name, parameter in module.parameters_and_names(expand=recurse):
        is_statistic = name.rpartition(".")[2].startswith(("moving_", "running_"))
        is_statistic = is_statistic or getattr(parameter, "is_buffer", False)
        if not is_statistic and id(parameter) not in unused:
            yield parameter
