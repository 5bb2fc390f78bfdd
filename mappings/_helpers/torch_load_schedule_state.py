import mindspore


def torch_load_schedule_state(schedule, state_dict):
    """PyTorch's load_state_dict of a schedule of learning rates, of what torch_schedule_state gave."""
    for name, number in state_dict.items():
        own = vars(schedule).get(name)
        if isinstance(own, mindspore.Parameter):
            mindspore.ops.assign(own, mindspore.Tensor(number, own.dtype))
        elif name == "_schedulers":
            for part, numbers in zip(own, number):
                torch_load_schedule_state(part, numbers)
        else:
            setattr(schedule, name, number)
