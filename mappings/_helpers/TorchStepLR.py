import mindspore


class TorchStepLR(mindspore.experimental.optim.lr_scheduler.StepLR):
    """MindSpore's StepLR; the number of steps may be a float, `epochs / 3`, and the factor a whole number, as PyTorch
    takes them."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1, verbose=False):
        super().__init__(optimizer, 1, float(gamma), last_epoch)
        self.step_size = int(step_size) if step_size == int(step_size) else float(step_size)
