import mindspore


class TorchChainedScheduler(mindspore.experimental.optim.lr_scheduler.LRScheduler):
    """PyTorch's ChainedScheduler: several schedulers at once."""

    def __init__(self, schedulers, optimizer=None):
        self.schedulers = list(schedulers)
        self.optimizer = optimizer or self.schedulers[0].optimizer

    def step(self):
        for scheduler in self.schedulers:
            scheduler.step()

    def get_last_lr(self):
        return [group["lr"].value() for group in self.optimizer.param_groups]
