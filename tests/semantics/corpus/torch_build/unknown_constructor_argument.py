"""A network gets an unknown argument that matters for one of its parts only."""

# given: dropout in (0.0, 0.1, 0.5)
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, width, dropout):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.dropout = nn.Dropout(dropout) if dropout > 0 else nn.Identity()
        if dropout > 0.3:
            self.extra = nn.Linear(width, width)


class Net(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.Dropout(p=dropout))
        self.rate = dropout


answer = Net(dropout)
answer_head = Head(4, dropout)
answer_norm = answer_head.norm
answer_rate = answer.rate
