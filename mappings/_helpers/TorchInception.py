import mindspore


class TorchInception(mindspore.nn.Cell):
    """torchvision's Inception of GoogLeNet: four ways side by side."""

    def __init__(self, in_channels, ch1x1, ch3x3red, ch3x3, ch5x5red, ch5x5, pool_proj, conv_block=None):
        super().__init__()
        conv = conv_block or TorchBasicConv2d
        self.branch1 = conv(in_channels, ch1x1, kernel_size=1)
        self.branch2 = mindspore.nn.SequentialCell(
            conv(in_channels, ch3x3red, kernel_size=1), conv(ch3x3red, ch3x3, kernel_size=3, padding=1)
        )
        self.branch3 = mindspore.nn.SequentialCell(
            conv(in_channels, ch5x5red, kernel_size=1), conv(ch5x5red, ch5x5, kernel_size=3, padding=1)
        )
        self.branch4 = mindspore.nn.SequentialCell(
            mindspore.nn.MaxPool2d(3, 1, pad_mode="pad", padding=1),
            conv(in_channels, pool_proj, kernel_size=1),
        )
        self.set_train()

    def construct(self, x):
        return mindspore.ops.cat((self.branch1(x), self.branch2(x), self.branch3(x), self.branch4(x)), 1)
