import mindspore


class TorchMobileNetV2(mindspore.nn.Cell):
    """torchvision's MobileNetV2, with its names of layers."""

    def __init__(
        self,
        num_classes=1000,
        width_mult=1.0,
        inverted_residual_setting=None,
        round_nearest=8,
        block=None,
        norm_layer=None,
        dropout=0.2,
    ):
        super().__init__()
        norm_layer = norm_layer or mindspore.nn.BatchNorm2d
        block = block or TorchInvertedResidual
        setting = inverted_residual_setting or (
            (1, 16, 1, 1),
            (6, 24, 2, 2),
            (6, 32, 3, 2),
            (6, 64, 4, 2),
            (6, 96, 3, 1),
            (6, 160, 3, 2),
            (6, 320, 1, 1),
        )

        def rounded(size):
            near = max(round_nearest, int(size + round_nearest / 2) // round_nearest * round_nearest)
            return near + round_nearest if near < 0.9 * size else near

        def conv(channels, results, kernel_size, stride):
            layer = mindspore.nn.Conv2d(
                channels, results, kernel_size, stride, "pad", kernel_size // 2, has_bias=False
            )
            return mindspore.nn.SequentialCell(layer, norm_layer(results), mindspore.nn.ReLU6())

        channels = rounded(32 * width_mult)
        self.last_channel = rounded(1280 * max(1.0, width_mult))
        features = [conv(3, channels, 3, 2)]
        for expansion, size, count, stride in setting:
            for number in range(count):
                first = stride if number == 0 else 1
                results = rounded(size * width_mult)
                features.append(block(channels, results, first, expansion, norm_layer))
                channels = results
        self.features = mindspore.nn.SequentialCell(*features, conv(channels, self.last_channel, 1, 1))
        self.classifier = mindspore.nn.SequentialCell(
            mindspore.nn.Dropout(p=dropout),
            mindspore.nn.Dense(
                self.last_channel,
                num_classes,
                weight_init=mindspore.common.initializer.Normal(0.01),
                bias_init="zeros",
            ),
        )
        self.set_train()

    def construct(self, x):
        return self.classifier(self.features(x).mean((2, 3)))
