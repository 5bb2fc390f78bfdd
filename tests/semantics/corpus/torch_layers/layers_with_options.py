"""Convolutions with groups and without bias, transposed, one and three dimensions, tuples as kernels."""

import torch.nn as nn

answer_conv = nn.ModuleList(
    [
        nn.Conv2d(8, 16, (3, 5), groups=4),
        nn.Conv2d(8, 8, kernel_size=3, groups=8, bias=False),
        nn.Conv1d(4, 6, 7, stride=2, dilation=3),
        nn.Conv3d(2, 2, 3, padding="same"),
        nn.ConvTranspose2d(8, 4, 2, stride=2, groups=2),
        nn.ConvTranspose1d(3, 5, 4, bias=False),
        nn.Linear(3, 7, False),
        nn.Linear(in_features=2, out_features=3, bias=True),
        nn.Bilinear(2, 3, 4),
    ]
)
answer_each = [sum(p.numel() for p in layer.parameters()) for layer in answer_conv]
