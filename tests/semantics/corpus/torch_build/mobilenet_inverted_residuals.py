"""MobileNetV2's settings table with rounding of widths to multiples of eight."""

import torch.nn as nn


def make_divisible(value, divisor=8, smallest=None):
    rounded = max(smallest or divisor, int(value + divisor / 2) // divisor * divisor)
    if rounded < 0.9 * value:
        rounded += divisor
    return rounded


def conv_bn(i, o, k=3, groups=1):
    return nn.Sequential(
        nn.Conv2d(i, o, k, 1, (k - 1) // 2, groups=groups, bias=False), nn.BatchNorm2d(o), nn.ReLU6()
    )


def mobilenet(width_mult=1.0):
    settings = [[1, 16, 1, 1], [6, 24, 2, 2]]
    width = make_divisible(32 * width_mult)
    features = [conv_bn(3, width)]
    for t, c, n, s in settings:
        output = make_divisible(c * width_mult)
        for i in range(n):
            hidden = int(round(width * t))
            layers = [] if t == 1 else [conv_bn(width, hidden, 1)]
            layers.extend([conv_bn(hidden, hidden, groups=hidden), nn.Conv2d(hidden, output, 1, bias=False)])
            features.append(nn.Sequential(*layers))
            width = output
    return nn.Sequential(*features)


answer = mobilenet(0.25)
answer_divisible = [make_divisible(v) for v in (1, 12, 19.9, 20, 100)]
