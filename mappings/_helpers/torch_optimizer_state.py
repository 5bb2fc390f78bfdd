def torch_optimizer_state(optimizer):
    """PyTorch's Optimizer.state_dict: what the optimizer keeps of its parameters, and the options of their groups."""
    own = getattr(optimizer, "torch_state_dict", None)  # of a class of the program's own
    if own is not None:
        return own()
    groups, number = [], 0
    for group in optimizer.param_groups:
        options = {name: one for name, one in group.items() if name != "params"}
        groups.append({**options, "lr": float(group["lr"])})
        groups[-1]["params"] = list(range(number, number + len(group["params"])))
        number += len(group["params"])
    kept = enumerate(torch_kept_of_parameters(optimizer))
    return {
        "state": {at: {name: one.value().copy() for name, one in state.items()} for at, state in kept},
        "param_groups": groups,
    }
