"""Layers appended in a loop with continue and break; what is broken off never comes to be."""

import torch.nn as nn

layers = []
width = 4
for i, size in enumerate([8, 0, 16, -1, 32]):
    if size == 0:
        continue
    if size < 0:
        break
    layers.append(nn.Linear(width, size, bias=i > 0))
    width = size
answer = nn.Sequential(*layers)
answer_width = width
