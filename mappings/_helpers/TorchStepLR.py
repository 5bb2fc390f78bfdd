import mindspore


class TorchStepLR(mindspore.experimental.optim.lr_scheduler.StepLR):
    """MindSpore's StepLR; a factor may be a whole number, as PyTorch takes it."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        super().__init__(optimizer, step_size, float(gamma), last_epoch)
