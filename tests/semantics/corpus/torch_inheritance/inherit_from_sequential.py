"""A subclass of Sequential that hands its layers to super, as torchvision's ConvNormActivation does."""

import torch.nn as nn


class ConvNorm(nn.Sequential):
    def __init__(self, i, o, kernel=3, padding=None, norm=nn.BatchNorm2d, act=nn.ReLU, bias=None):
        if padding is None:
            padding = (kernel - 1) // 2
        if bias is None:
            bias = norm is None
        layers = [nn.Conv2d(i, o, kernel, padding=padding, bias=bias)]
        if norm is not None:
            layers.append(norm(o))
        if act is not None:
            params = {} if act is nn.PReLU else {"inplace": True}
            layers.append(act(**params))
        super().__init__(*layers)
        self.out_channels = o


class Stem(ConvNorm):
    def __init__(self, width):
        super().__init__(3, width, kernel=7, norm=None, act=nn.PReLU)
        self.append(nn.Conv2d(width, width, 1))


answer = ConvNorm(3, 8)
answer_bare = ConvNorm(3, 8, norm=None, act=None)
answer_stem = Stem(4)
answer_length = (len(answer), len(answer_stem), answer_stem.out_channels, answer[0].padding)
