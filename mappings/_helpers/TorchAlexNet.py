import mindspore


class TorchAlexNet(mindspore.nn.Cell):
    """torchvision's AlexNet, with its names of layers; the images are 224 pixels wide or other."""

    def __init__(self, num_classes=1000, dropout=0.5):
        super().__init__()
        features = []
        sizes = (
            (3, 64, 11, 4, 2),
            (64, 192, 5, 1, 2),
            (192, 384, 3, 1, 1),
            (384, 256, 3, 1, 1),
            (256, 256, 3, 1, 1),
        )
        for number, (channels, results, kernel_size, stride, padding) in enumerate(sizes):
            conv = mindspore.nn.Conv2d(channels, results, kernel_size, stride, "pad", padding, has_bias=True)
            features += [conv, mindspore.nn.ReLU()]
            if number in (0, 1, 4):
                features.append(mindspore.nn.MaxPool2d(3, 2))
        self.features = mindspore.nn.SequentialCell(*features)
        self.avgpool = mindspore.nn.AdaptiveAvgPool2d((6, 6))
        self.classifier = mindspore.nn.SequentialCell(
            mindspore.nn.Dropout(p=dropout),
            mindspore.nn.Dense(256 * 6 * 6, 4096),
            mindspore.nn.ReLU(),
            mindspore.nn.Dropout(p=dropout),
            mindspore.nn.Dense(4096, 4096),
            mindspore.nn.ReLU(),
            mindspore.nn.Dense(4096, num_classes),
        )
        self.set_train()

    def construct(self, x):
        x = self.avgpool(self.features(x))
        return self.classifier(x.reshape(len(x), -1))
