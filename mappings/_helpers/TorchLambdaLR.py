import mindspore


class TorchLambdaLR(mindspore.experimental.optim.lr_scheduler.LambdaLR):
    """MindSpore's LambdaLR whose functions get the step as a number, as PyTorch's do, and not as a tensor."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1, verbose=False):
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self):
        epoch = int(self.last_epoch)
        return [rate * float(factor(epoch)) for factor, rate in zip(self.lr_lambdas, self.base_lrs)]
