import mindspore


class TorchExponentialLR(mindspore.experimental.optim.lr_scheduler.ExponentialLR):
    """MindSpore's ExponentialLR; the factor may be a whole number, as PyTorch takes it."""

    def __init__(self, optimizer, gamma, last_epoch=-1, verbose=False):
        super().__init__(optimizer, float(gamma), last_epoch)
