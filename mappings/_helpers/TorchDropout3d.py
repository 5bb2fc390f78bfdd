import mindspore


class TorchDropout3d(mindspore.nn.Dropout3d):
    """mindspore.nn.Dropout3d with the arguments of PyTorch's; it starts in training mode."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__(float(p))
        self.set_train()
