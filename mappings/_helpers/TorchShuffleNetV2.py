import mindspore


class TorchShuffleNetV2(mindspore.nn.Cell):
    """torchvision's ShuffleNetV2, with its names of layers."""

    def __init__(self, stages_repeats, stages_out_channels, num_classes=1000, inverted_residual=None):
        super().__init__()
        block = inverted_residual or TorchShuffledResidual
        sizes = stages_out_channels

        def conv(channels, results, kernel_size, stride):
            layer = mindspore.nn.Conv2d(
                channels, results, kernel_size, stride, "pad", kernel_size // 2, has_bias=False
            )
            return mindspore.nn.SequentialCell(layer, mindspore.nn.BatchNorm2d(results), mindspore.nn.ReLU())

        def stage(channels, results, count):
            rest = [block(results, results, 1) for _ in range(count - 1)]
            return mindspore.nn.SequentialCell(block(channels, results, 2), *rest)

        self.conv1 = conv(3, sizes[0], 3, 2)
        self.maxpool = mindspore.nn.MaxPool2d(3, 2, pad_mode="pad", padding=1)
        self.stage2 = stage(sizes[0], sizes[1], stages_repeats[0])
        self.stage3 = stage(sizes[1], sizes[2], stages_repeats[1])
        self.stage4 = stage(sizes[2], sizes[3], stages_repeats[2])
        self.conv5 = conv(sizes[3], sizes[4], 1, 1)
        self.fc = mindspore.nn.Dense(sizes[4], num_classes)
        self.set_train()

    def construct(self, x):
        x = self.stage2(self.maxpool(self.conv1(x)))
        return self.fc(self.conv5(self.stage4(self.stage3(x))).mean((2, 3)))
