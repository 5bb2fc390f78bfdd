import mindspore


class TorchBasicConv2d(mindspore.nn.Cell):
    """torchvision's BasicConv2d of Inception: a convolution without bias, a batch norm and relu."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1):
        super().__init__()
        if isinstance(padding, (tuple, list)):
            padding = (padding[0], padding[0], padding[1], padding[1])
        self.conv = mindspore.nn.Conv2d(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            "pad",
            padding,
            dilation,
            groups,
            has_bias=False,
        )
        self.bn = mindspore.nn.BatchNorm2d(out_channels, eps=0.001)
        self.set_train()

    def construct(self, x):
        return mindspore.ops.relu(self.bn(self.conv(x)))
