"""Norm layers with and without affine parameters, embeddings with padding, layers without parameters."""

import torch.nn as nn

norms = [
    nn.BatchNorm1d(6),
    nn.BatchNorm2d(6, affine=False),
    nn.LayerNorm(6),
    nn.LayerNorm([2, 3, 4]),
    nn.LayerNorm(6, elementwise_affine=False),
    nn.LayerNorm((6,), bias=False),
    nn.GroupNorm(2, 6),
    nn.InstanceNorm2d(6),
    nn.InstanceNorm2d(6, affine=True),
    nn.BatchNorm2d(6, track_running_stats=False, momentum=None),
]
others = [
    nn.Embedding(10, 3, padding_idx=0),
    nn.EmbeddingBag(4, 2),
    nn.PReLU(3),
    nn.Dropout(0.5),
    nn.Softmax(dim=-1),
]
answer = nn.ModuleList(norms)
answer_others = nn.Sequential(*others)
answer_each = [sum(p.numel() for p in m.parameters()) for m in norms + others]
