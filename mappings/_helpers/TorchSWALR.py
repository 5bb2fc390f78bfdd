import math

import mindspore


class TorchSWALR(mindspore.experimental.optim.lr_scheduler.LRScheduler):
    """PyTorch's SWALR: moves the rate that it finds to a constant one; another scheduler may have changed it."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        self.optimizer, self.anneal_epochs, self.last_epoch = optimizer, anneal_epochs, last_epoch
        self.is_linear = anneal_strategy == "linear"
        self.steps = -1
        count = len(optimizer.param_groups)
        self.swa_lrs = list(swa_lr) if isinstance(swa_lr, (list, tuple)) else [swa_lr] * count
        self.base_lrs = [float(group["lr"].value()) for group in optimizer.param_groups]
        self.step()

    def step(self):
        self.last_epoch += 1
        self.steps += 1
        steps = self.steps if self.anneal_epochs else max(1, self.steps)
        before, now = self._part(steps - 1), self._part(steps)
        self._last_lr = []
        for group, last in zip(self.optimizer.param_groups, self.swa_lrs, strict=True):
            first = last
            if before < 1:
                first = (float(group["lr"].value()) - before * last) / (1 - before)
            rate = mindspore.Tensor(first + (last - first) * now, mindspore.float32)
            mindspore.ops.assign(group["lr"], rate)
            self._last_lr.append(rate)

    def _part(self, steps):
        """How much of the way is done."""
        part = max(0.0, min(1.0, steps / max(1, self.anneal_epochs)))
        return part if self.is_linear else (1 - math.cos(math.pi * part)) / 2

    def get_last_lr(self):
        return self._last_lr
