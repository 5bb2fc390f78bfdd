def TorchFunctionalCall(
    module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False
):
    """What the cell computes with other tensors in the place of its parameters; gradients reach those tensors."""
    values = parameter_and_buffer_dicts
    if not isinstance(values, dict):
        values = {name: value for part in values for name, value in part.items()}
    known = dict(module.parameters_and_names())
    wrong = [name for name in values if name not in known]
    if strict:
        wrong += [name for name in known if name not in values]
    if wrong:
        raise RuntimeError(f"missing or unexpected names: {wrong}")
    kept = []
    for name, value in values.items():
        parent, _, last = name.rpartition(".")
        owner = module.get_sub_cell(parent) if parent else module
        kept.append((owner, last, owner._params.pop(last)))
        object.__setattr__(owner, last, value)
    try:
        arguments = () if args is None else args if isinstance(args, tuple) else (args,)
        return module(*arguments, **(kwargs or {}))
    finally:
        for owner, last, parameter in kept:
            object.__delattr__(owner, last)
            owner._params[last] = parameter
