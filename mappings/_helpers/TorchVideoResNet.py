import mindspore


class TorchVideoResNet(mindspore.nn.Cell):
    """torchvision's VideoResNet, with its names of layers and its initial weights."""

    def __init__(self, block, conv_makers, layers, stem, num_classes=400, zero_init_residual=False):
        super().__init__()
        self.inplanes = 64
        self.stem = stem()
        self.layer1 = self._make_layer(block, conv_makers[0], 64, layers[0])
        self.layer2 = self._make_layer(block, conv_makers[1], 128, layers[1], 2)
        self.layer3 = self._make_layer(block, conv_makers[2], 256, layers[2], 2)
        self.layer4 = self._make_layer(block, conv_makers[3], 512, layers[3], 2)
        self.fc = mindspore.nn.Dense(
            512 * block.expansion,
            num_classes,
            weight_init=mindspore.common.initializer.Normal(0.01),
            bias_init="zeros",
        )
        start = mindspore.common.initializer.HeNormal(mode="fan_out", nonlinearity="relu")
        for _, cell in self.cells_and_names():
            if isinstance(cell, mindspore.nn.Conv3d):
                weight = mindspore.common.initializer.initializer(start, cell.weight.shape, cell.weight.dtype)
                cell.weight.set_data(weight)
        self.set_train()

    def _make_layer(self, block, conv_builder, planes, blocks, stride=1):
        downsample, results = None, planes * block.expansion
        if stride != 1 or self.inplanes != results:
            strides = conv_builder.get_downsample_stride(stride)
            conv = mindspore.nn.Conv3d(self.inplanes, results, 1, strides, has_bias=False)
            downsample = mindspore.nn.SequentialCell(conv, mindspore.nn.BatchNorm3d(results))
        cells = [block(self.inplanes, planes, conv_builder, stride, downsample)]
        self.inplanes = results
        cells += [block(results, planes, conv_builder) for _ in range(1, blocks)]
        return mindspore.nn.SequentialCell(*cells)

    def construct(self, x):
        x = self.layer4(self.layer3(self.layer2(self.layer1(self.stem(x)))))
        return self.fc(x.mean((2, 3, 4)))
