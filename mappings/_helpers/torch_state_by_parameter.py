import types


def torch_state_by_parameter(optimizer):
    """PyTorch's Optimizer.state, to be read: what the optimizer keeps, by parameter and name."""
    if hasattr(optimizer, "torch_state_dict"):  # of a class of the program's own
        return optimizer.state
    kept = map(
        types.MappingProxyType, torch_kept_of_parameters(optimizer)
    )  # what is written there would be lost
    return types.MappingProxyType(dict(zip(optimizer.parameters, kept)))
