"""A residual network in the usual style: a norm layer that is passed on, layers from star arguments, custom weights."""

from functools import partial
from typing import Callable, List, Optional

import torch
import torch.nn as nn
from torch import Tensor


def conv3x3(inside: int, outside: int, stride: int = 1, groups: int = 1, dilation: int = 1) -> nn.Conv2d:
    return nn.Conv2d(
        inside,
        outside,
        kernel_size=3,
        stride=stride,
        padding=dilation,
        groups=groups,
        bias=False,
        dilation=dilation,
    )


class ConvNormAct(nn.Sequential):
    def __init__(self, inside, outside, norm_layer=nn.BatchNorm2d, activation=nn.Hardswish):
        layers = [conv3x3(inside, outside)]
        if norm_layer is not None:
            layers.append(norm_layer(outside))
        if activation is not None:
            layers.append(activation(inplace=True))
        super().__init__(*layers)
        self.out_channels = outside


class Bottleneck(nn.Module):
    expansion = 2

    def __init__(
        self, inside, width, stride=1, norm_layer: Optional[Callable[..., nn.Module]] = None
    ) -> None:
        super().__init__()
        if norm_layer is None:
            norm_layer = nn.BatchNorm2d
        self.conv1 = nn.Conv2d(inside, width, 1, bias=False)
        self.bn1 = norm_layer(width)
        self.conv2 = conv3x3(width, width, stride)
        self.bn2 = norm_layer(width)
        self.conv3 = nn.Conv2d(width, width * self.expansion, 1)
        self.bn3 = norm_layer(width * self.expansion)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inside != width * self.expansion:
            self.downsample = nn.Sequential(
                nn.Conv2d(inside, width * self.expansion, 1, stride), nn.Identity()
            )

    def forward(self, x: Tensor) -> Tensor:
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += identity
        return self.relu(out)


class Residual(nn.Module):
    def __init__(self, layers: List[int], classes: int = 10, zero_last: bool = True) -> None:
        super().__init__()
        self.inside = 8
        norm = partial(nn.BatchNorm2d, eps=0.001, momentum=0.01)
        self.stem = ConvNormAct(3, 8, norm)
        self.pool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        self.layer1 = self._make_layer(8, layers[0], 1, norm)
        self.layer2 = self._make_layer(16, layers[1], 2, norm)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.drop = nn.Dropout(p=0.2)
        self.fc = nn.Linear(16 * Bottleneck.expansion, classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)
        if zero_last:
            for m in self.modules():
                if isinstance(m, Bottleneck):
                    nn.init.constant_(m.bn3.weight, 0)

    def _make_layer(self, width, blocks, stride, norm):
        layers = [Bottleneck(self.inside, width, stride, norm)]
        self.inside = width * Bottleneck.expansion
        for _ in range(1, blocks):
            layers.append(Bottleneck(self.inside, width, norm_layer=norm))
        return nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        x = self.pool(self.stem(x))
        x = self.layer2(self.layer1(x))
        x = torch.flatten(self.avgpool(x), 1)
        return self.fc(self.drop(x))
