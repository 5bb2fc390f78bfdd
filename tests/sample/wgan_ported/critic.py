"""The critic, written for MindSpore by hand; without the pooling, of which nothing equal has a second order."""

from mindspore import nn


class Block(nn.Cell):
    def __init__(self, channels_in, channels_out):
        super().__init__()
        self.conv = nn.Conv2d(
            channels_in, channels_out, 3, stride=2, pad_mode="pad", padding=1, has_bias=True
        )
        self.activation = nn.LeakyReLU(0.2)

    def construct(self, x):
        return self.activation(self.conv(x))


class Critic(nn.Cell):
    def __init__(self, channels=3, widths=(4, 8)):
        super().__init__()
        blocks = []
        for width in widths:
            blocks.append(Block(channels, width))
            channels = width
        self.blocks = nn.CellList(blocks)
        self.head = nn.SequentialCell(nn.Flatten(), nn.Dense(channels * 4, 1))

    def construct(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)
