import mindspore


class TorchMultiStepLR(mindspore.experimental.optim.lr_scheduler.MultiStepLR):
    """MindSpore's MultiStepLR; steps may be any sequence and the factor a whole number, as PyTorch takes them."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        super().__init__(optimizer, list(milestones), float(gamma), last_epoch)
