import mindspore


class TorchFCNHead(mindspore.nn.SequentialCell):
    """torchvision's FCNHead: two convolutions that label every pixel."""

    def __init__(self, in_channels, channels):
        inter_channels = in_channels // 4
        super().__init__(
            mindspore.nn.Conv2d(in_channels, inter_channels, 3, pad_mode="pad", padding=1, has_bias=False),
            mindspore.nn.BatchNorm2d(inter_channels),
            mindspore.nn.ReLU(),
            mindspore.nn.Dropout(p=0.1),
            mindspore.nn.Conv2d(inter_channels, channels, 1, pad_mode="valid", has_bias=True),
        )
        self.set_train()
