"""A layer's weight set to another one's counts once; a bias set to None is gone."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, tie=True, replace=False):
        super().__init__()
        self.a = nn.Linear(3, 5)
        self.b = nn.Linear(3, 5)
        if tie:
            self.b.weight = self.a.weight
            self.own = self.a.bias
        self.b.bias = None
        if replace:
            self.a.weight = nn.Parameter(torch.zeros(2, 2))


answer = Net()
answer_free = Net(tie=False)
answer_replaced = Net(replace=True)
answer_same = (answer.a.weight is answer.b.weight, answer_replaced.a.weight is answer_replaced.b.weight)
try:
    answer.a.bias = torch.zeros(5)
except TypeError:
    answer_refused = "a tensor is not a parameter"
