import mindspore


def torch_state_of(part):
    """PyTorch's state_dict of an optimizer, a schedule of learning rates, a cell, or another object that has one."""
    if isinstance(part, mindspore.experimental.optim.Optimizer):
        return torch_optimizer_state(part)
    schedules = mindspore.experimental.optim.lr_scheduler
    if isinstance(part, (schedules.LRScheduler, schedules.ReduceLROnPlateau)):
        return torch_schedule_state(part)
    is_plain = getattr(type(part), "state_dict", None) is mindspore.nn.Cell.state_dict
    return torch_state_dict(part) if is_plain else part.state_dict()
