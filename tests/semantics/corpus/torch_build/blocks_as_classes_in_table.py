"""A table says for each depth which block class and how many; the block's expansion decides widths."""

import torch.nn as nn


class Basic(nn.Module):
    expansion = 1

    def __init__(self, i, o):
        super().__init__()
        self.conv = nn.Conv2d(i, o, 3, bias=False)


class Bottleneck(nn.Module):
    expansion = 4

    def __init__(self, i, o):
        super().__init__()
        self.conv1 = nn.Conv2d(i, o, 1, bias=False)
        self.conv3 = nn.Conv2d(o, o * self.expansion, 1, bias=False)


resnet_spec = {18: (Basic, [2, 2]), 50: (Bottleneck, [1, 2])}


def build(depth):
    block, counts = resnet_spec[depth]
    width, layers = 4, []
    for stage, count in enumerate(counts):
        for _ in range(count):
            layers.append(block(width, 4 * 2**stage))
            width = 4 * 2**stage * block.expansion
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(width, 10))


answer = build(18)
answer_50 = build(50)
