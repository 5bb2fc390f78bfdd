"""Functions that build networks, closures that count, and default arguments that are layers."""

import torch.nn as nn


def mlp(*sizes, activation=nn.ReLU, last=None, **kwargs):
    layers = []
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        layers.append(nn.Linear(a, b, **kwargs))
        if i < len(sizes) - 2:
            layers.append(activation())
        elif last:
            layers.append(last)
    return nn.Sequential(*layers)


def builder(width):
    made = 0

    def add(size):
        nonlocal width, made
        layer = nn.Linear(width, size)
        width, made = size, made + 1
        return layer

    return add, lambda: (width, made)


answer = mlp(2, 4, 8, 1, last=nn.Sigmoid(), bias=False)
add, state = builder(3)
answer_added = nn.Sequential(add(5), add(7))
answer_state = state()
answer_length = len(answer)
