import mindspore


class TorchDropout1d(mindspore.nn.Dropout1d):
    """mindspore.nn.Dropout1d with the arguments of PyTorch's; it starts in training mode."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__(float(p))
        self.set_train()
