"""The critic of a Wasserstein GAN."""

import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, channels_in, channels_out):
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, 3, stride=2, padding=1)

    def forward(self, x):
        return F.leaky_relu(self.conv(x), 0.2)


class Critic(nn.Module):
    def __init__(self, channels=3, widths=(4, 8)):
        super().__init__()
        blocks = []
        for width in widths:
            blocks.append(Block(channels, width))
            channels = width
        self.blocks = nn.ModuleList(blocks)
        self.pool = nn.MaxPool2d(2)
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(channels, 1))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(self.pool(x))
