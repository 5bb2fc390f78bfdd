import mindspore


def torch_load_state_of(part, state_dict, **kwargs):
    """PyTorch's load_state_dict of an optimizer, a schedule of learning rates, a cell, or another object."""
    if isinstance(part, mindspore.experimental.optim.Optimizer):
        return torch_load_optimizer_state(part, state_dict)
    schedules = mindspore.experimental.optim.lr_scheduler
    if isinstance(part, (schedules.LRScheduler, schedules.ReduceLROnPlateau)):
        return torch_load_schedule_state(part, state_dict)
    if getattr(type(part), "load_state_dict", None) is mindspore.nn.Cell.load_state_dict:
        return torch_load_state_dict(part, state_dict, **kwargs)
    return part.load_state_dict(state_dict, **kwargs)
