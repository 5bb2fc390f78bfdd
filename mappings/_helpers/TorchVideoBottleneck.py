import mindspore


class TorchVideoBottleneck(mindspore.nn.Cell):
    """torchvision's Bottleneck for video: three convolutions and a way around them."""

    expansion = 4

    def __init__(self, inplanes, planes, conv_builder, stride=1, downsample=None):
        super().__init__()
        midplanes = (inplanes * planes * 27) // (inplanes * 9 + 3 * planes)
        self.conv1 = mindspore.nn.SequentialCell(
            mindspore.nn.Conv3d(inplanes, planes, 1, has_bias=False),
            mindspore.nn.BatchNorm3d(planes),
            mindspore.nn.ReLU(),
        )
        self.conv2 = mindspore.nn.SequentialCell(
            conv_builder(planes, planes, midplanes, stride),
            mindspore.nn.BatchNorm3d(planes),
            mindspore.nn.ReLU(),
        )
        self.conv3 = mindspore.nn.SequentialCell(
            mindspore.nn.Conv3d(planes, planes * self.expansion, 1, has_bias=False),
            mindspore.nn.BatchNorm3d(planes * self.expansion),
        )
        self.downsample = downsample
        self.stride = stride
        self.set_train()

    def construct(self, x):
        residual = x if self.downsample is None else self.downsample(x)
        return mindspore.ops.relu(self.conv3(self.conv2(self.conv1(x))) + residual)
