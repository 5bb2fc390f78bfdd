import mindspore


class TorchFastRCNNPredictor(mindspore.nn.Cell):
    """torchvision's FastRCNNPredictor: scores and boxes of regions, by a linear layer each."""

    def __init__(self, in_channels, num_classes):
        super().__init__()
        self.cls_score = mindspore.nn.Dense(in_channels, num_classes)
        self.bbox_pred = mindspore.nn.Dense(in_channels, num_classes * 4)

    def construct(self, x):
        x = x.reshape(x.shape[0], -1)
        return self.cls_score(x), self.bbox_pred(x)
