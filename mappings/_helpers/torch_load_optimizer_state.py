import mindspore


def torch_load_optimizer_state(optimizer, state_dict):
    """PyTorch's Optimizer.load_state_dict, of what torch_optimizer_state gave."""
    own = getattr(optimizer, "torch_load_state_dict", None)  # of a class of the program's own
    if own is not None:
        return own(state_dict)
    state = state_dict["state"]
    if len(optimizer.param_groups) != len(state_dict["param_groups"]):
        raise ValueError("loaded state dict has a different number of parameter groups")
    for at, kept in enumerate(torch_kept_of_parameters(optimizer)):
        for name in kept.keys() & state.get(at, {}).keys():
            mindspore.ops.assign(kept[name], mindspore.Tensor(state[at][name], kept[name].dtype))
    for group, options in zip(optimizer.param_groups, state_dict["param_groups"]):
        for name in options.keys() - {"params"}:
            if isinstance(group.get(name), mindspore.Parameter):
                mindspore.ops.assign(group[name], mindspore.Tensor(options[name], group[name].dtype))
            else:
                group[name] = options[name]
