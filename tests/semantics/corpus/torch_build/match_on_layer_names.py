"""Layers from a list of specifications by a match statement."""

import torch.nn as nn

specification = [("conv", 3, 8), ("bn",), "relu", {"pool": 2}, ("conv", 8, 4, 1), ("unknown", 1), None]


def build(spec):
    match spec:
        case ("conv", a, b):
            return nn.Conv2d(a, b, 3)
        case ("conv", a, b, k):
            return nn.Conv2d(a, b, k, bias=False)
        case ("bn",):
            return nn.BatchNorm2d(8)
        case "relu":
            return nn.ReLU()
        case {"pool": size}:
            return nn.MaxPool2d(size)
        case (str(name), *_):
            raise KeyError(name)


layers = []
for spec in specification:
    try:
        layer = build(spec)
    except KeyError:
        continue
    if layer is None:
        break
    layers.append(layer)
answer = nn.Sequential(*layers)
answer_count = len(layers)
