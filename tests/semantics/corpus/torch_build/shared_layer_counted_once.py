"""The same module under two names is counted once; two of the same kind are counted twice."""

import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = self.a
        self.layers = nn.ModuleList([self.a] * 3 + [nn.Linear(4, 4)])


answer = Net()
layer = nn.Linear(2, 2)
answer_repeated = nn.Sequential(layer, nn.ReLU(), layer)
answer_comprehension = nn.Sequential(*[nn.Linear(2, 2) for _ in range(3)])
