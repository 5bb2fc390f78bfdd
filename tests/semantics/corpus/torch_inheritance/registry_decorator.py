"""Networks register themselves by a decorator and are built by name."""

import torch.nn as nn

REGISTRY = {}


def register(name=None, **defaults):
    def decorate(cls):
        REGISTRY[name or cls.__name__.lower()] = (cls, defaults)
        return cls

    return decorate


@register()
class Small(nn.Module):
    def __init__(self, width=2):
        super().__init__()
        self.fc = nn.Linear(width, width)


@register("big", width=8, depth=2)
class Large(Small):
    def __init__(self, width, depth):
        super().__init__(width)
        self.more = nn.ModuleList(nn.Linear(width, 1) for _ in range(depth))


def create(name, **overrides):
    cls, defaults = REGISTRY[name]
    return cls(**{**defaults, **overrides})


answer = create("small")
answer_big = create("big")
answer_override = create("big", depth=0)
answer_names = list(REGISTRY)
