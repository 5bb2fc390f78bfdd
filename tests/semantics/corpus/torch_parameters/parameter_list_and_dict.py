"""ParameterList and ParameterDict hold parameters and register them; tensors put in become parameters."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.weights = nn.ParameterList([nn.Parameter(torch.zeros(s, s)) for s in sizes])
        self.weights.append(nn.Parameter(torch.zeros(5)))
        self.scales = nn.ParameterDict({"a": nn.Parameter(torch.ones(2))})
        self.scales["b"] = nn.Parameter(torch.ones(3))


answer = Net([1, 2, 3])
answer_length = len(answer.weights)
answer_weight = answer.weights[2].shape[0]
