import mindspore


class TorchResNetBottleneck(mindspore.nn.Cell):
    """torchvision's Bottleneck: three convolutions, the outer ones of 1x1, and a way around them."""

    expansion = 4

    def __init__(
        self,
        inplanes,
        planes,
        stride=1,
        downsample=None,
        groups=1,
        base_width=64,
        dilation=1,
        norm_layer=None,
    ):
        super().__init__()
        norm_layer = norm_layer or mindspore.nn.BatchNorm2d
        width = int(planes * (base_width / 64)) * groups
        self.conv1 = mindspore.nn.Conv2d(inplanes, width, 1, has_bias=False)
        self.bn1 = norm_layer(width)
        self.conv2 = mindspore.nn.Conv2d(
            width, width, 3, stride, "pad", dilation, dilation, groups, has_bias=False
        )
        self.bn2 = norm_layer(width)
        self.conv3 = mindspore.nn.Conv2d(width, planes * self.expansion, 1, has_bias=False)
        self.bn3 = norm_layer(planes * self.expansion)
        self.relu = mindspore.nn.ReLU()
        self.downsample = downsample
        self.stride = stride
        self.set_train()

    def construct(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        return self.relu(self.bn3(self.conv3(out)) + identity)
