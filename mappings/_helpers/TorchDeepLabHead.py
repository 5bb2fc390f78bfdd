import mindspore


class TorchDeepLabHead(mindspore.nn.SequentialCell):
    """torchvision's DeepLabHead: the part of DeepLabV3 that labels every pixel."""

    def __init__(self, in_channels, num_classes, atrous_rates=(12, 24, 36)):
        super().__init__(
            TorchASPP(in_channels, atrous_rates),
            mindspore.nn.Conv2d(256, 256, 3, pad_mode="pad", padding=1, has_bias=False),
            mindspore.nn.BatchNorm2d(256),
            mindspore.nn.ReLU(),
            mindspore.nn.Conv2d(256, num_classes, 1, has_bias=True),
        )
        self.set_train()
