import mindspore


class TorchMultiplicativeLR(mindspore.experimental.optim.lr_scheduler.MultiplicativeLR):
    """MindSpore's MultiplicativeLR whose functions get the step as a number, as PyTorch's do, and not as a tensor."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1, verbose=False):
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self):
        epoch = int(self.last_epoch)
        if epoch > 0:
            return [rate * float(factor(epoch)) for factor, rate in zip(self.lr_lambdas, self._last_lr)]
        return [rate * 1.0 for rate in self._last_lr]
