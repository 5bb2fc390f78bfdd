"""A mixin before nn.Module, class attributes as sizes, a class attribute that is a layer."""

import torch.nn as nn


class HeadMixin:
    head_width = 5

    def add_head(self, width):
        self.head = nn.Linear(width, self.head_width)
        return self


class Config:
    width, depth = 4, 2
    activation = nn.ReLU


class Net(HeadMixin, nn.Module):
    shared = nn.Linear(100, 100)

    def __init__(self, config=Config):
        super().__init__()
        self.layers = nn.Sequential(*(nn.Linear(config.width, config.width) for _ in range(config.depth)))
        self.act = config.activation()


class Small(Net):
    head_width = 1


answer = Net()
answer_head = Net().add_head(4)
answer_small = Small(type("Other", (Config,), {"depth": 1})).add_head(2)
answer_not_registered = len(list(answer.children()))
