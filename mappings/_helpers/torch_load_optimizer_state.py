import mindspore


def torch_load_optimizer_state(optimizer, state_dict):
    """PyTorch's Optimizer.load_state_dict, of what torch_optimizer_state gave."""
    own = getattr(optimizer, "torch_load_state_dict", None)  # of a class of the program's own
    if own is not None:
        return own(state_dict)
    state = state_dict["state"]
    if len(optimizer.param_groups) != len(state_dict["param_groups"]):
        raise ValueError("loaded state dict has a different number of parameter groups")
    for name, own in optimizer.parameters_and_names():
        if name in state:
            mindspore.ops.assign(own, state[name].astype(own.dtype))
    for group, options in zip(optimizer.param_groups, state_dict["param_groups"]):
        for name in options.keys() - {"params"}:
            if isinstance(group.get(name), mindspore.Parameter):
                mindspore.ops.assign(group[name], mindspore.Tensor(options[name], group[name].dtype))
            else:
                group[name] = options[name]
