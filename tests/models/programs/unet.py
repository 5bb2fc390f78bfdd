"""A U-Net: down with pooling, up with transposed or bilinear upsampling, and shortcuts that are padded to fit."""

import torch
from torch import nn
import torch.nn.functional as F


def double(inside, outside, norm_layer=nn.BatchNorm2d):
    return nn.Sequential(
        nn.Conv2d(inside, outside, kernel_size=3, padding=1, bias=False),
        norm_layer(outside),
        nn.ReLU(inplace=True),
        nn.Conv2d(outside, outside, kernel_size=3, padding=1, bias=False),
        norm_layer(outside),
        nn.ReLU(inplace=True),
    )


class Up(nn.Module):
    def __init__(self, inside, outside, bilinear):
        super().__init__()
        if bilinear:
            self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
        else:
            self.up = nn.ConvTranspose2d(inside, inside // 2, kernel_size=2, stride=2)
        self.conv = double(inside + inside // 2 if bilinear else inside, outside)

    def forward(self, x, shortcut):
        x = self.up(x)
        dy = shortcut.size()[2] - x.size()[2]
        dx = shortcut.size()[3] - x.size()[3]
        x = F.pad(x, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2])
        return self.conv(torch.cat([shortcut, x], dim=1))


class UNet(nn.Module):
    def __init__(self, channels=3, classes=2, width=8, bilinear=False):
        super(UNet, self).__init__()
        self.top = double(channels, width)
        self.down = nn.ModuleList([double(width, 2 * width), double(2 * width, 4 * width)])
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ModuleList([Up(4 * width, 2 * width, bilinear), Up(2 * width, width, bilinear)])
        self.out = nn.Conv2d(width, classes, kernel_size=1)

    def forward(self, x):
        kept = [self.top(x)]
        for layer in self.down:
            kept.append(layer(self.pool(kept[-1])))
        x = kept.pop()
        for layer in self.up:
            x = layer(x, kept.pop())
        return self.out(x)
