import mindspore


def torch_step_reached(optimizer, reached, gradients):
    """A step of an optimizer for the parameters that a loss reached. The others stay as they are, and so does what is
    kept of them; as in PyTorch a step that a parameter missed does not count for it."""
    if all(reached) and not any(vars(optimizer).get("torch_missed", ())):
        torch_step(optimizer, gradients)
        return
    kept = [
        one
        for one in vars(optimizer).values()
        if isinstance(one, tuple)
        and len(one) == len(reached)
        and all(isinstance(each, mindspore.Parameter) for each in one)
    ]
    own = getattr(optimizer, "_params", {})
    counter = next((own[name] for name in ("state_step", "step_t") if name in own), None)
    missed = vars(optimizer).setdefault("torch_missed", [0] * len(reached))
    steps = 0 if counter is None else int(counter)
    groups = {}
    for index, is_reached in enumerate(reached):
        if is_reached:
            groups.setdefault(0 if counter is None else min(missed[index], steps), []).append(index)
        else:
            missed[index] += 1
    for behind, indexes in groups.items():
        others = [each for one in kept for index, each in enumerate(one) if index not in indexes]
        values = [one.value().copy() for one in others]
        if counter is not None:
            mindspore.ops.assign(counter, mindspore.ops.full_like(counter, steps - behind))
        torch_step(optimizer, gradients)
        for one, value in zip(others, values):
            one[()] = value  # after set_data no optimizer finds it
    if counter is not None:
        mindspore.ops.assign(counter, mindspore.ops.full_like(counter, steps + 1))
