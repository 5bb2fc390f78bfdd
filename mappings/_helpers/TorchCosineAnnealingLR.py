import math

import mindspore


class TorchCosineAnnealingLR(mindspore.experimental.optim.lr_scheduler.CosineAnnealingLR):
    """MindSpore's CosineAnnealingLR; the number of steps may be a float, and a rate comes from the one that the
    optimizer has, whoever has set it (a schedule that warms up), as PyTorch's does."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1, verbose=False):
        self.is_initial = True
        super().__init__(optimizer, int(T_max), eta_min, last_epoch)
        self.T_max = int(T_max) if T_max == int(T_max) else float(T_max)
        self.is_initial = False

    def get_lr(self):
        rates = [float(group["lr"]) for group in self.optimizer.param_groups]
        if self.is_initial:
            return rates
        step, angle = int(self.last_epoch), math.pi / self.T_max
        if (step - 1 - self.T_max) % (2 * self.T_max) == 0:
            growth = (1 - math.cos(angle)) / 2
            return [rate + (float(base) - self.eta_min) * growth for base, rate in zip(self.base_lrs, rates)]
        growth = (1 + math.cos(angle * step)) / (1 + math.cos(angle * (step - 1)))
        return [growth * (rate - self.eta_min) + self.eta_min for rate in rates]
