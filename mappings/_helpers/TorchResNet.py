import mindspore


class TorchResNet(mindspore.nn.Cell):
    """torchvision's ResNet, with its names of layers and its initial weights."""

    def __init__(
        self,
        block,
        layers,
        num_classes=1000,
        zero_init_residual=False,
        groups=1,
        width_per_group=64,
        replace_stride_with_dilation=None,
        norm_layer=None,
    ):
        super().__init__()
        self.inplanes, self.dilation = 64, 1
        self.groups, self.base_width = groups, width_per_group
        self._norm_layer = norm_layer or mindspore.nn.BatchNorm2d
        dilated = replace_stride_with_dilation or (False, False, False)
        self.conv1 = mindspore.nn.Conv2d(3, 64, 7, 2, "pad", 3, has_bias=False)
        self.bn1 = self._norm_layer(64)
        self.relu = mindspore.nn.ReLU()
        self.maxpool = mindspore.nn.MaxPool2d(3, 2, pad_mode="pad", padding=1)
        self.layer1 = self._make_layer(block, 64, layers[0])
        self.layer2 = self._make_layer(block, 128, layers[1], 2, dilated[0])
        self.layer3 = self._make_layer(block, 256, layers[2], 2, dilated[1])
        self.layer4 = self._make_layer(block, 512, layers[3], 2, dilated[2])
        self.avgpool = mindspore.nn.AdaptiveAvgPool2d(1)
        self.fc = mindspore.nn.Dense(512 * block.expansion, num_classes)
        start = mindspore.common.initializer.HeNormal(mode="fan_out", nonlinearity="relu")
        for _, cell in self.cells_and_names():
            if isinstance(cell, mindspore.nn.Conv2d):
                weight = mindspore.common.initializer.initializer(start, cell.weight.shape, cell.weight.dtype)
                cell.weight.set_data(weight)
            elif zero_init_residual and isinstance(cell, block):
                last = getattr(cell, "bn3", cell.bn2)
                last.gamma.set_data(mindspore.ops.zeros_like(last.gamma))
        self.set_train()

    def _make_layer(self, block, planes, blocks, stride=1, dilate=False):
        before = self.dilation
        if dilate:
            self.dilation, stride = self.dilation * stride, 1
        downsample = None
        if stride != 1 or self.inplanes != planes * block.expansion:
            results = planes * block.expansion
            conv = mindspore.nn.Conv2d(self.inplanes, results, 1, stride, has_bias=False)
            downsample = mindspore.nn.SequentialCell(conv, self._norm_layer(results))
        rest = (self.groups, self.base_width)
        cells = [block(self.inplanes, planes, stride, downsample, *rest, before, self._norm_layer)]
        self.inplanes = planes * block.expansion
        for _ in range(1, blocks):
            cells.append(block(self.inplanes, planes, 1, None, *rest, self.dilation, self._norm_layer))
        return mindspore.nn.SequentialCell(*cells)

    def construct(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(self.avgpool(x).reshape(len(x), -1))
