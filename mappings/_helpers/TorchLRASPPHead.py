import mindspore


class TorchLRASPPHead(mindspore.nn.Cell):
    """torchvision's LRASPPHead: labels every pixel from fine and coarse features."""

    def __init__(self, low_channels, high_channels, num_classes, inter_channels):
        super().__init__()
        self.cbr = mindspore.nn.SequentialCell(
            mindspore.nn.Conv2d(high_channels, inter_channels, 1, has_bias=False),
            mindspore.nn.BatchNorm2d(inter_channels),
            mindspore.nn.ReLU(),
        )
        self.scale = mindspore.nn.SequentialCell(
            mindspore.nn.AdaptiveAvgPool2d(1),
            mindspore.nn.Conv2d(high_channels, inter_channels, 1, has_bias=False),
            mindspore.nn.Sigmoid(),
        )
        self.low_classifier = mindspore.nn.Conv2d(low_channels, num_classes, 1, has_bias=True)
        self.high_classifier = mindspore.nn.Conv2d(inter_channels, num_classes, 1, has_bias=True)
        self.set_train()

    def construct(self, input):
        low, high = input["low"], input["high"]
        x = self.cbr(high) * self.scale(high)
        x = mindspore.ops.interpolate(x, size=low.shape[-2:], mode="bilinear", align_corners=False)
        return self.low_classifier(low) + self.high_classifier(x)
