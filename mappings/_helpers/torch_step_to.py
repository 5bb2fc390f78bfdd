import mindspore


def torch_step_to(scheduler, epoch):
    """PyTorch's `scheduler.step(epoch)`: the rates of an epoch. MindSpore's MultiStepLR raises when it is given one."""
    if epoch is None or not isinstance(scheduler, mindspore.experimental.optim.lr_scheduler.MultiStepLR):
        scheduler.step(epoch)
        return
    mindspore.ops.assign(scheduler.last_epoch, mindspore.Tensor(epoch, scheduler.last_epoch.dtype))
    passed = sum(times for milestone, times in scheduler.milestones.items() if milestone <= epoch)
    for rate, first in zip(scheduler._last_lr, scheduler.base_lrs):
        mindspore.ops.assign(rate, first * scheduler.gamma**passed)
