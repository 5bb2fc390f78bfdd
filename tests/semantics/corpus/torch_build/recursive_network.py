"""A network that contains itself, smaller each time, until a condition ends it."""

import torch.nn as nn


class Hourglass(nn.Module):
    def __init__(self, depth, width):
        super().__init__()
        self.up = nn.Conv2d(width, width, 1)
        if depth > 1:
            self.inner = Hourglass(depth - 1, width + 1)
        else:
            self.inner = nn.Conv2d(width, width, 1)
        self.low = nn.Conv2d(self.inner_width, width, 1)

    @property
    def inner_width(self):
        inner = self.inner
        return inner.out_channels if isinstance(inner, nn.Conv2d) else inner.up.in_channels


answer = Hourglass(3, 2)
answer_depth_one = Hourglass(1, 2)
answer_inner = answer.inner.inner.up.out_channels
