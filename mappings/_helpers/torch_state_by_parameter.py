import types


def torch_state_by_parameter(optimizer):
    """PyTorch's Optimizer.state: what the optimizer has of its parameters, by parameter and name."""
    if hasattr(optimizer, "torch_state_dict"):  # of a class of the program's own
        return optimizer.state
    own = vars(optimizer).setdefault("_torch_own_state", {})
    pairs = zip(optimizer.parameters, torch_kept_of_parameters(optimizer))
    states = {one: TorchParameterState(own.setdefault(id(one), {}), kept) for one, kept in pairs}
    return types.MappingProxyType(states)  # another state for a parameter would be lost
