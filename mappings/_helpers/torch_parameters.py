def torch_parameters(module):
    """PyTorch's Module.parameters: all parameters, without the running statistics of norms."""
    for name, parameter in module.parameters_and_names():
        if not name.rpartition(".")[2].startswith("moving_"):
            yield parameter
