import mindspore


class TorchCosineAnnealingLR(mindspore.experimental.optim.lr_scheduler.CosineAnnealingLR):
    """MindSpore's CosineAnnealingLR; the number of steps may be a float, as PyTorch takes it."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        super().__init__(optimizer, int(T_max), eta_min, last_epoch)
        self.T_max = int(T_max) if T_max == int(T_max) else float(T_max)
