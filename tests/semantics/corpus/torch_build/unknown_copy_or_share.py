"""Layers are copies or the same one, by an unknown flag; a list of copies is known to be."""

# given: share in (False, True)
import copy

import torch.nn as nn

layer = nn.Linear(3, 3)
blocks = [layer if share else copy.deepcopy(layer) for _ in range(3)]
answer = nn.ModuleList(blocks)
answer_one = blocks[1]
answer_copies = nn.ModuleList([copy.deepcopy(b) for b in blocks])
answer_count = len(blocks)
answer_layer = layer
answer_whole_copy = copy.deepcopy(nn.ModuleList([layer, layer]))
