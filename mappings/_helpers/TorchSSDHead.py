import mindspore


class TorchSSDHead(mindspore.nn.Cell):
    """torchvision's SSDHead: scores and boxes of the default boxes of every map."""

    def __init__(self, in_channels, num_anchors, num_classes):
        super().__init__()
        self.classification_head = TorchSSDClassificationHead(in_channels, num_anchors, num_classes)
        self.regression_head = TorchSSDClassificationHead(in_channels, num_anchors, 4)

    def construct(self, x):
        return {"bbox_regression": self.regression_head(x), "cls_logits": self.classification_head(x)}
