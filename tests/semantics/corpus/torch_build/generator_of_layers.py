"""Layers that come from a generator with state, some of it not asked for."""

import torch.nn as nn


def layers(width):
    while True:
        yield nn.Linear(width, width * 2)
        width *= 2
        if width > 100:
            return
        yield nn.ReLU()


source = layers(2)
answer = nn.Sequential(next(source), next(source), next(source))
answer_all = nn.Sequential(*layers(40))
pairs = dict(zip(("a", "b", "c"), source))
answer_dict = nn.ModuleDict(pairs)
answer_kinds = [type(m).__name__ for m in pairs.values()]
