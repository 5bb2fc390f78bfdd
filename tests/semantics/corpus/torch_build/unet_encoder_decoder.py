"""A U-Net whose decoder runs through the widths backwards, with zip of slices."""

import torch.nn as nn


class DoubleConv(nn.Module):
    def __init__(self, i, o, mid=None):
        super().__init__()
        mid = mid or o
        self.net = nn.Sequential(nn.Conv2d(i, mid, 3), nn.ReLU(), nn.Conv2d(mid, o, 3))


class UNet(nn.Module):
    def __init__(self, channels=3, features=[2, 4, 8], bilinear=False):
        super().__init__()
        self.downs, self.ups = nn.ModuleList(), nn.ModuleList()
        for feature in features:
            self.downs.append(DoubleConv(channels, feature))
            channels = feature
        for feature in reversed(features):
            if bilinear:
                self.ups.append(nn.Upsample(scale_factor=2))
            else:
                self.ups.append(nn.ConvTranspose2d(feature * 2, feature, kernel_size=2, stride=2))
            self.ups.append(DoubleConv(feature * 2, feature))
        self.bottleneck = DoubleConv(features[-1], features[-1] * 2)


answer = UNet()
answer_bilinear = UNet(1, features=(2, 4), bilinear=True)
answer_kinds = [type(up).__name__ for up in answer.ups[:2]]
