import mindspore


class TorchResNetBasicBlock(mindspore.nn.Cell):
    """torchvision's BasicBlock: two convolutions and a way around them."""

    expansion = 1

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
        if groups != 1 or base_width != 64 or dilation > 1:
            raise ValueError("this block has neither groups nor another width or dilation")
        norm_layer = norm_layer or mindspore.nn.BatchNorm2d
        padding = {"pad_mode": "pad", "padding": 1, "has_bias": False}
        self.conv1 = mindspore.nn.Conv2d(inplanes, planes, 3, stride, **padding)
        self.bn1 = norm_layer(planes)
        self.relu = mindspore.nn.ReLU()
        self.conv2 = mindspore.nn.Conv2d(planes, planes, 3, **padding)
        self.bn2 = norm_layer(planes)
        self.downsample = downsample
        self.stride = stride
        self.set_train()

    def construct(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(out)) + identity)
