import mindspore


class TorchRPNHead(mindspore.nn.Cell):
    """torchvision's RPNHead: scores and boxes of anchors at every place of each map."""

    def __init__(self, in_channels, num_anchors, conv_depth=1):
        super().__init__()

        def conv(channels, kernel_size):
            return mindspore.nn.Conv2d(
                in_channels,
                channels,
                kernel_size,
                pad_mode="same",
                has_bias=True,
                weight_init=mindspore.common.initializer.Normal(0.01),
                bias_init="zeros",
            )

        layers = [
            mindspore.nn.SequentialCell(conv(in_channels, 3), mindspore.nn.ReLU()) for _ in range(conv_depth)
        ]
        self.conv = mindspore.nn.SequentialCell(*layers)
        self.cls_logits = conv(num_anchors, 1)
        self.bbox_pred = conv(num_anchors * 4, 1)

    def construct(self, x):
        features = [self.conv(feature) for feature in x]
        return [self.cls_logits(feature) for feature in features], [
            self.bbox_pred(feature) for feature in features
        ]
