"""Building blocks of the detector."""

from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F


class ConvNormAct(nn.Module):
    """Convolution, normalisation and activation."""

    def __init__(self, inputs, outputs, kernel=3, stride=1, groups=1, norm_layer=nn.BatchNorm2d, act_layer=nn.SiLU):
        super().__init__()
        padding = (kernel - 1) // 2
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, padding, groups=groups, bias=False)
        self.norm = norm_layer(outputs)
        self.act = act_layer(inplace=True)

    def forward(self, x):
        return self.act(self.norm(self.conv(x)))


class Bottleneck(nn.Module):
    """Two convolutions with a residual connection."""

    def __init__(self, channels, shortcut=True):
        super().__init__()
        self.reduce = ConvNormAct(channels, channels // 2, 1)
        self.expand = ConvNormAct(channels // 2, channels, 3)
        self.shortcut = shortcut

    def forward(self, x):
        y = self.expand(self.reduce(x))
        return x + y if self.shortcut else y


class SpatialPyramid(nn.Module):
    """Pools of growing size, concatenated: a larger field of view at no cost in resolution."""

    def __init__(self, channels, kernel_sizes=(5, 9, 13)):
        super().__init__()
        self.reduce = ConvNormAct(channels, channels // 2, 1)
        self.pools = nn.ModuleList([nn.MaxPool2d(k, stride=1, padding=k // 2) for k in kernel_sizes])
        self.merge = ConvNormAct(channels // 2 * (len(kernel_sizes) + 1), channels, 1)

    def forward(self, x):
        x = self.reduce(x)
        x = torch.cat([x] + [pool(x) for pool in self.pools], dim=1)
        return self.merge(x)


class ChannelAttention(nn.Module):
    """Squeeze and excitation."""

    def __init__(self, channels, ratio=4):
        super().__init__()
        self.squeeze = nn.AdaptiveAvgPool2d(1)
        self.excite = nn.Sequential(
            nn.Linear(channels, channels // ratio),
            nn.LeakyReLU(),  # slope 0.01 in torch
            nn.Dropout(0.1),
            nn.Linear(channels // ratio, channels),
        )

    def forward(self, x):
        batch, channels = x.size(0), x.size(1)
        weight = self.excite(self.squeeze(x).view(batch, channels))
        return x * torch.sigmoid(weight).unsqueeze(-1).unsqueeze(-1)


class TokenMixer(nn.Module):
    """Self-attention over the cells of the coarsest feature map."""

    norm_layer = partial(nn.LayerNorm, eps=1e-6)

    def __init__(self, channels, heads=4):
        super().__init__()
        self.heads = heads
        self.norm = self.norm_layer(channels)
        self.qkv = nn.Linear(channels, channels * 3)
        self.project = nn.Linear(channels, channels)
        self.register_buffer("scale", torch.tensor((channels // heads) ** -0.5))

    def forward(self, x):
        batch, channels, height, width = x.shape
        tokens = x.flatten(2).transpose(1, 2)
        qkv = self.qkv(self.norm(tokens)).reshape(batch, height * width, 3, self.heads, channels // self.heads)
        query, key, value = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        weight = F.softmax(query @ key.transpose(-2, -1) * self.scale, dim=-1)
        mixed = torch.matmul(weight, value).transpose(1, 2).contiguous().view(batch, height * width, channels)
        tokens = tokens + self.project(mixed)
        return tokens.permute(0, 2, 1).reshape(batch, channels, height, width)
