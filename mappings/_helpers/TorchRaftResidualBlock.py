import mindspore


class TorchRaftResidualBlock(mindspore.nn.Cell):
    """torchvision's ResidualBlock of RAFT: two convolutions with biases and a way around them."""

    def __init__(self, in_channels, out_channels, *, norm_layer, stride=1, always_project=False):
        super().__init__()

        def conv(channels, kernel_size, stride, *activation):
            layer = mindspore.nn.Conv2d(
                channels, out_channels, kernel_size, stride, "pad", kernel_size // 2, has_bias=True
            )
            return mindspore.nn.SequentialCell(layer, norm_layer(out_channels), *activation)

        self.convnormrelu1 = conv(in_channels, 3, stride, mindspore.nn.ReLU())
        self.convnormrelu2 = conv(out_channels, 3, 1, mindspore.nn.ReLU())
        if stride == 1 and not always_project:
            self.downsample = mindspore.nn.Identity()
        else:
            self.downsample = conv(in_channels, 1, stride)
        self.set_train()

    def construct(self, x):
        y = self.convnormrelu2(self.convnormrelu1(x))
        return mindspore.ops.relu(self.downsample(x) + y)
