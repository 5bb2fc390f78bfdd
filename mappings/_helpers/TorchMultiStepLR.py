import mindspore


class TorchMultiStepLR(mindspore.experimental.optim.lr_scheduler.MultiStepLR):
    """MindSpore's MultiStepLR; steps may be any sequence of any numbers, `[0.5 * epochs, 0.75 * epochs]`, and the
    factor a whole number, as PyTorch takes them: it never comes to a step that is no whole number."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1, verbose=False):
        whole = [int(step) for step in milestones if step == int(step)]
        super().__init__(optimizer, whole, float(gamma), last_epoch)
