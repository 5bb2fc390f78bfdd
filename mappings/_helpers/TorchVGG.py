import mindspore


class TorchVGG(mindspore.nn.Cell):
    """torchvision's VGG, with its names of layers and its initial weights."""

    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        start = {}
        if init_weights:
            start = {"weight_init": mindspore.common.initializer.Normal(0.01), "bias_init": "zeros"}
        self.features = features
        self.avgpool = mindspore.nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = mindspore.nn.SequentialCell(
            mindspore.nn.Dense(512 * 7 * 7, 4096, **start),
            mindspore.nn.ReLU(),
            mindspore.nn.Dropout(p=dropout),
            mindspore.nn.Dense(4096, 4096, **start),
            mindspore.nn.ReLU(),
            mindspore.nn.Dropout(p=dropout),
            mindspore.nn.Dense(4096, num_classes, **start),
        )
        self.set_train()

    def construct(self, x):
        x = self.avgpool(self.features(x))
        return self.classifier(x.reshape(len(x), -1))
