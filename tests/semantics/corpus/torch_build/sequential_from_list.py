"""A list of layers, built by a loop, unpacked into Sequential."""

import torch.nn as nn

sizes = [8, 16, 32]
layers = []
for a, b in zip(sizes, sizes[1:]):
    layers += [nn.Linear(a, b), nn.ReLU(inplace=True)]
layers.pop()
answer = nn.Sequential(*layers)
answer_length = len(layers)
answer_last = answer[-1].out_features
