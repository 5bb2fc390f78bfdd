def torch_kept_of_parameters(optimizer):
    """What an optimizer of MindSpore keeps, by the names that PyTorch's has for it: for each of its parameters, in
    their order."""
    names = {
        "SGD": {"accum": "momentum_buffer"},
        "RMSprop": {"mean_square": "square_avg", "mean_grad": "grad_avg", "moment": "momentum_buffer"},
        "Adagrad": {"accum": "sum"},
        "Adadelta": {"accum": "square_avg", "accum_update": "acc_delta"},
    }
    own = next((names[kind.__name__] for kind in type(optimizer).__mro__ if kind.__name__ in names), {})
    trained = {id(parameter) for parameter in optimizer.parameters}
    idle = {"max_exp_avg_sq"} - {"max_exp_avg_sq" for group in optimizer.param_groups if group.get("amsgrad")}
    kept = {}
    for name, one in optimizer.parameters_and_names():
        kind = name.partition(".")[0]
        if id(one) not in trained and kind not in idle:
            kept.setdefault(kind, []).append(one)
    found = [{} for _ in optimizer.parameters]
    for name, several in kept.items():
        name = "step" if name in ("state_step", "step_t") else own.get(name, name)
        # One may be for all.
        for state, one in zip(found, several if len(several) == len(found) else several[:1] * len(found)):
            state[name] = one
    return found
