"""DenseNet: each layer gets all widths before it, transitions halve them."""

import torch.nn as nn


class DenseLayer(nn.Sequential):
    def __init__(self, width, growth):
        super().__init__()
        self.add_module("norm", nn.BatchNorm2d(width))
        self.add_module("relu", nn.ReLU(inplace=True))
        self.add_module("conv", nn.Conv2d(width, growth, 3, padding=1, bias=False))


class DenseNet(nn.Module):
    def __init__(self, growth=4, blocks=(2, 3), width=8):
        super().__init__()
        self.features = nn.Sequential()
        for i, count in enumerate(blocks):
            block = nn.Sequential(*[DenseLayer(width + j * growth, growth) for j in range(count)])
            self.features.add_module(f"denseblock{i + 1}", block)
            width = width + count * growth
            if i != len(blocks) - 1:
                self.features.add_module(f"transition{i + 1}", nn.Conv2d(width, width // 2, 1, bias=False))
                width //= 2
        self.classifier = nn.Linear(width, 10)


answer = DenseNet()
answer_width = answer.classifier.in_features
