import mindspore


class TorchASPPPooling(mindspore.nn.SequentialCell):
    """torchvision's ASPPPooling: the mean of each channel, through a convolution, at every place."""

    def __init__(self, in_channels, out_channels):
        super().__init__(
            mindspore.nn.AdaptiveAvgPool2d(1),
            mindspore.nn.Conv2d(in_channels, out_channels, 1, has_bias=False),
            mindspore.nn.BatchNorm2d(out_channels),
            mindspore.nn.ReLU(),
        )
        self.set_train()

    def construct(self, x):
        y = super().construct(x)
        # One place stretched by any interpolation is that place everywhere.
        return mindspore.ops.broadcast_to(y, (*y.shape[:2], *x.shape[2:]))
