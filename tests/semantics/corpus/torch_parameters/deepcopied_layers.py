"""deepcopy makes layers of their own; a list multiplied or filled by one name shares one layer."""

import copy

import torch.nn as nn


def clones(module, n):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(n)])


layer = nn.Linear(3, 3)
answer = clones(layer, 4)
answer_shared = nn.ModuleList([layer] * 4)
pair = nn.Sequential(layer, layer)
answer_pair = copy.deepcopy(pair)
answer_with_original = nn.ModuleList([layer, *clones(layer, 2), layer])
shallow = copy.copy(layer)
answer_shallow = nn.ModuleList([layer, shallow])
