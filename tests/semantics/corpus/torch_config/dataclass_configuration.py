"""Sizes from a dataclass with default_factory, replaced, and spread as keyword arguments."""

from dataclasses import asdict, dataclass, field, replace

import torch.nn as nn


@dataclass
class Config:
    inputs: int = 3
    widths: list = field(default_factory=lambda: [4, 8])
    outputs: int = 2

    @property
    def sizes(self):
        return [self.inputs, *self.widths, self.outputs]


class Net(nn.Module):
    def __init__(self, inputs, widths, outputs, sizes=None):
        super().__init__()
        sizes = sizes or [inputs] + widths + [outputs]
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])


one = Config()
two = replace(one, outputs=5)
one.widths.append(16)
answer = Net(**asdict(Config()))
answer_one = Net(**vars(one))
answer_two = Net(**asdict(two), sizes=Config(1, [1]).sizes)
answer_sizes = two.sizes
