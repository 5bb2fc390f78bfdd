import mindspore


class TorchVideoBasicBlock(mindspore.nn.Cell):
    """torchvision's BasicBlock for video: two convolutions and a way around them."""

    expansion = 1

    def __init__(self, inplanes, planes, conv_builder, stride=1, downsample=None):
        super().__init__()
        midplanes = (inplanes * planes * 27) // (inplanes * 9 + 3 * planes)
        self.conv1 = mindspore.nn.SequentialCell(
            conv_builder(inplanes, planes, midplanes, stride),
            mindspore.nn.BatchNorm3d(planes),
            mindspore.nn.ReLU(),
        )
        self.conv2 = mindspore.nn.SequentialCell(
            conv_builder(planes, planes, midplanes), mindspore.nn.BatchNorm3d(planes)
        )
        self.downsample = downsample
        self.stride = stride
        self.set_train()

    def construct(self, x):
        residual = x if self.downsample is None else self.downsample(x)
        return mindspore.ops.relu(self.conv2(self.conv1(x)) + residual)
