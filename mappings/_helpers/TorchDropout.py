import mindspore


class TorchDropout(mindspore.nn.Dropout):
    """mindspore.nn.Dropout with the arguments of PyTorch's Dropout; it starts in training mode."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__(p=float(p))
        self.set_train()
