import math

import mindspore


class TorchSWALR(mindspore.experimental.optim.lr_scheduler.LRScheduler):
    """PyTorch's SWALR: moves the rate to a constant one."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        self.optimizer, self.anneal_epochs, self.last_epoch = optimizer, anneal_epochs, last_epoch
        self.is_linear = anneal_strategy == "linear"
        count = len(optimizer.param_groups)
        self.swa_lrs = list(swa_lr) if isinstance(swa_lr, (list, tuple)) else [swa_lr] * count
        self.base_lrs = [float(group["lr"].value()) for group in optimizer.param_groups]
        self.step()

    def step(self):
        self.last_epoch += 1
        part = min(1.0, self.last_epoch / self.anneal_epochs) if self.anneal_epochs else 1.0
        if not self.is_linear:
            part = (1 - math.cos(math.pi * part)) / 2
        self._last_lr = []
        for group, first, last in zip(self.optimizer.param_groups, self.base_lrs, self.swa_lrs, strict=True):
            rate = mindspore.Tensor(first + (last - first) * part, mindspore.float32)
            mindspore.ops.assign(group["lr"], rate)
            self._last_lr.append(rate)

    def get_last_lr(self):
        return self._last_lr
