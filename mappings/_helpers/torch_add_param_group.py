import mindspore


def torch_add_param_group(optimizer, param_group):
    """PyTorch's `optimizer.add_param_group(param_group)`: the optimizer keeps of the new parameters what it keeps of
    all."""
    own = getattr(optimizer, "torch_add_group", None)  # of a class of the program's own
    if own is not None:
        own(param_group)
        return
    new = param_group["params"]
    new = [new] if isinstance(new, mindspore.Tensor) else list(new)
    torch_named_apart([*optimizer.parameters, *new])
    kept = [name for name, one in vars(optimizer).items() if isinstance(one, mindspore.ParameterTuple)]
    kept.remove("parameters")
    group = {**optimizer.defaults, **param_group, "params": new}
    group = {name: float(one) if type(one) is int else one for name, one in group.items()}
    mindspore.experimental.optim.Optimizer.add_param_group(optimizer, group)
    optimizer.parameters = mindspore.ParameterTuple(optimizer.parameters)
    for name in kept:
        init = "ones" if name == "stat" else optimizer.defaults.get("initial_accumulator_value", "zeros")
        added = mindspore.ParameterTuple(new).clone(prefix=name, init=init)
        setattr(optimizer, name, mindspore.ParameterTuple([*getattr(optimizer, name), *added]))
    record = vars(optimizer).get("torch_record")
    if record is not None:
        record(new)
