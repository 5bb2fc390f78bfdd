import mindspore


class TorchSSDClassificationHead(TorchSSDScoringHead):
    """torchvision's SSDClassificationHead: scores of the default boxes; with four columns it serves for boxes, too."""

    def __init__(self, in_channels, num_anchors, num_classes):
        layers = [
            mindspore.nn.Conv2d(
                channels,
                num_classes * anchors,
                3,
                pad_mode="pad",
                padding=1,
                has_bias=True,
                weight_init="xavier_uniform",
                bias_init="zeros",
            )
            for channels, anchors in zip(in_channels, num_anchors)
        ]
        super().__init__(mindspore.nn.CellList(layers), num_classes)
