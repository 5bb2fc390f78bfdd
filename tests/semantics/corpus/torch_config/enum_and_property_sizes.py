"""Sizes from an Enum, a property, a cached classmethod and a constant computed in the class body."""

from enum import Enum
from functools import lru_cache

import torch.nn as nn


class Size(Enum):
    SMALL = (4, 1)
    LARGE = (16, 3)

    @property
    def width(self):
        return self.value[0]


class Net(nn.Module):
    BASE, SIZES = 2, [2, 4, 8]
    DOUBLE = BASE * 2

    def __init__(self, size=Size.SMALL):
        super().__init__()
        (width, depth), self.size = size.value, size
        self.stem = nn.Linear(self.DOUBLE, self.width)
        self.blocks = nn.ModuleList([nn.Linear(width, self.SIZES[i]) for i in range(depth)])

    @property
    def width(self):
        return self.size.width

    @classmethod
    @lru_cache
    def make(cls, name):
        return cls(Size[name.upper()])


answer = Net.make("large")
answer_small = Net()
answer_cached = Net.make("large") is answer
