import mindspore


class TorchASPPConv(mindspore.nn.SequentialCell):
    """torchvision's ASPPConv: a dilated convolution of a head that labels every pixel."""

    def __init__(self, in_channels, out_channels, dilation):
        super().__init__(
            mindspore.nn.Conv2d(
                in_channels,
                out_channels,
                3,
                pad_mode="pad",
                padding=dilation,
                dilation=dilation,
                has_bias=False,
            ),
            mindspore.nn.BatchNorm2d(out_channels),
            mindspore.nn.ReLU(),
        )
        self.set_train()
