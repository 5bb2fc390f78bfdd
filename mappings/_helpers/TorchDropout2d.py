import mindspore


class TorchDropout2d(mindspore.nn.Dropout2d):
    """mindspore.nn.Dropout2d with the arguments of PyTorch's, for tensors of two or three axes, too; it starts in
    training mode."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__(float(p))
        self.set_train()

    def construct(self, x):
        if x.ndim == 4:
            return super().construct(x)
        drop = mindspore.ops.dropout1d if x.ndim == 3 else mindspore.ops.dropout
        return drop(x, 1 - self.keep_prob, self.training)
