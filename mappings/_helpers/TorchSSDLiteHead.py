import mindspore


class TorchSSDLiteHead(mindspore.nn.Cell):
    """torchvision's SSDLiteHead: scores and boxes of default boxes, by convolutions of one channel each."""

    def __init__(self, in_channels, num_anchors, num_classes, norm_layer):
        super().__init__()
        start = mindspore.common.initializer.Normal(0.03)

        def block(channels, results):
            depthwise = mindspore.nn.Conv2d(
                channels, channels, 3, pad_mode="same", group=channels, has_bias=False, weight_init=start
            )
            return mindspore.nn.SequentialCell(
                mindspore.nn.SequentialCell(depthwise, norm_layer(channels), mindspore.nn.ReLU6()),
                mindspore.nn.Conv2d(
                    channels, results, 1, has_bias=True, weight_init=start, bias_init="zeros"
                ),
            )

        def head(columns):
            layers = [block(size, columns * count) for size, count in zip(in_channels, num_anchors)]
            return TorchSSDScoringHead(mindspore.nn.CellList(layers), columns)

        self.classification_head = head(num_classes)
        self.regression_head = head(4)
        self.set_train()

    def construct(self, x):
        return {"bbox_regression": self.regression_head(x), "cls_logits": self.classification_head(x)}
