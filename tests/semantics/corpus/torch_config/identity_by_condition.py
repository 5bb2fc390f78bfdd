"""Layers that are there or replaced by Identity, by arithmetic conditions and truth of arguments."""

import torch.nn as nn


class Residual(nn.Module):
    def __init__(self, i, o, stride=1, se_ratio=0.25, dropout=0.0, bias=None):
        super().__init__()
        self.shortcut = (
            nn.Identity() if stride == 1 and i == o else nn.Conv2d(i, o, 1, stride, bias=bool(bias))
        )
        squeezed = max(1, int(i * se_ratio)) if se_ratio else 0
        self.se = nn.Linear(o, squeezed) if squeezed and se_ratio > 0 else None
        self.drop = dropout and nn.Dropout(dropout) or nn.Identity()
        self.norm = (nn.BatchNorm2d, nn.Identity)[o > 8](o)


answer = nn.Sequential(Residual(4, 4), Residual(4, 8, bias=True), Residual(8, 16, 2, se_ratio=None))
answer_se = [block.se is None for block in answer]
answer_kinds = [type(block.drop).__name__ for block in answer]
