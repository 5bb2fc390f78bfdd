import mindspore


class TorchSqueezeNet(mindspore.nn.Cell):
    """torchvision's SqueezeNet, with its names of layers."""

    def __init__(self, version="1_0", num_classes=1000, dropout=0.5):
        super().__init__()
        channels, kernel_size, pooled = {"1_0": (96, 7, (0, 3, 7)), "1_1": (64, 3, (0, 2, 4))}[version]
        layers = [
            mindspore.nn.Conv2d(3, channels, kernel_size, 2, "valid", has_bias=True),
            mindspore.nn.ReLU(),
        ]
        sizes = (16, 16, 32, 32, 48, 48, 64, 64)
        for number, size in enumerate((*sizes, None)):
            if number in pooled:
                layers.append(mindspore.nn.MaxPool2d(3, 2, pad_mode="pad", ceil_mode=True))
            if size:
                layers.append(TorchFire(channels, size, 4 * size, 4 * size))
                channels = 8 * size
        self.features = mindspore.nn.SequentialCell(*layers)
        self.classifier = mindspore.nn.SequentialCell(
            mindspore.nn.Dropout(p=dropout),
            mindspore.nn.Conv2d(
                512,
                num_classes,
                1,
                has_bias=True,
                weight_init=mindspore.common.initializer.Normal(0.01),
                bias_init="zeros",
            ),
            mindspore.nn.ReLU(),
            mindspore.nn.AdaptiveAvgPool2d(1),
        )
        self.set_train()

    def construct(self, x):
        return mindspore.ops.flatten(self.classifier(self.features(x)), start_dim=1)
