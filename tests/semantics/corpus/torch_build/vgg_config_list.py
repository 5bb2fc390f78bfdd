"""VGG from a configuration list in which 'M' means pooling."""

import torch.nn as nn

cfgs = {"A": [8, "M", 16, "M", 16, 16, "M"], "B": [8, 8, "M", 16, "M"]}


def make_layers(cfg, batch_norm=False):
    layers = []
    in_channels = 3
    for v in cfg:
        if v == "M":
            layers += [nn.MaxPool2d(kernel_size=2, stride=2)]
        else:
            conv2d = nn.Conv2d(in_channels, v, kernel_size=3, padding=1)
            if batch_norm:
                layers += [conv2d, nn.BatchNorm2d(v), nn.ReLU(inplace=True)]
            else:
                layers += [conv2d, nn.ReLU(inplace=True)]
            in_channels = v
    return nn.Sequential(*layers)


answer = make_layers(cfgs["A"])
answer_norm = make_layers(cfgs["B"], batch_norm=True)
answer_lengths = (len(answer), len(answer_norm))
