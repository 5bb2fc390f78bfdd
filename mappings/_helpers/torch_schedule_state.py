import mindspore


def torch_schedule_state(schedule):
    """PyTorch's state_dict of a schedule of learning rates: the numbers that it keeps."""
    state = {}
    for name, one in vars(schedule).items():
        if isinstance(one, mindspore.Parameter):
            state[name] = one.asnumpy().item()
        elif name == "_schedulers":
            state[name] = [torch_schedule_state(part) for part in one]
        elif isinstance(one, (int, float)):
            state[name] = one
    return state
