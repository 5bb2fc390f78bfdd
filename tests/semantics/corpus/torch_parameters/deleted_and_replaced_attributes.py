"""A layer deleted, replaced by None or by a number, and set again counts as what is there at the end."""

import torch.nn as nn


class Net(nn.Module):
    def __init__(self, pretrained=False):
        super().__init__()
        self.a = nn.Linear(10, 10)
        self.b = nn.Linear(10, 10)
        self.c = nn.Linear(10, 10)
        self.d = None
        self.e = 5
        del self.a
        self.b = None
        self.c = nn.Linear(2, 2)
        self.d = nn.Linear(1, 1)
        self.e = nn.Linear(1, 2)


answer = Net()
answer_has = (hasattr(answer, "a"), hasattr(answer, "b"), answer.b)
answer.c.weight = None
answer_without_weight = answer.c
del answer.d.bias
answer_d = answer.d
