import mindspore


class TorchDropout2d(mindspore.nn.Dropout2d):
    """mindspore.nn.Dropout2d with the arguments of PyTorch's; it starts in training mode."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__(float(p))
        self.set_train()
