import mindspore


class TorchPolynomialLR(mindspore.experimental.optim.lr_scheduler.PolynomialLR):
    """MindSpore's PolynomialLR; the power may be a whole number, as PyTorch takes it."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1, verbose=False):
        super().__init__(optimizer, total_iters, float(power), last_epoch)
