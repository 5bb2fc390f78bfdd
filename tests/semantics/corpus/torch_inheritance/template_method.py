"""The base's __init__ calls methods that the children define, before their own part runs."""

import torch.nn as nn


class Base(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.body = self.build_body()
        self.head = self.build_head(self.width)

    def build_body(self):
        return nn.Linear(self.width, self.width)

    def build_head(self, width):
        raise NotImplementedError


class Child(Base):
    def __init__(self, width):
        super().__init__(width * 2)
        self.late = nn.Linear(self.width, 1)

    def build_body(self):
        body = nn.Sequential(super().build_body(), nn.Linear(self.width, 3))
        self.width = 3
        return body

    def build_head(self, width):
        return nn.Linear(width, 10)


answer = Child(4)
try:
    Base(2)
except NotImplementedError:
    answer_base = "abstract"
