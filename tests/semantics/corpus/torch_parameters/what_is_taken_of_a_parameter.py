"""Data, copies and views of a parameter are tensors, which no module counts; in-place methods give it itself."""

import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        source = nn.Linear(3, 2, bias=False)
        self.data = source.weight.data
        self.copied = source.weight.clone()
        self.detached = source.weight.detach()
        self.turned = source.weight.data.T
        self.filled = nn.Linear(2, 2, bias=False).weight.requires_grad_(False)
        self.own = nn.Parameter(source.weight.data)


answer = Net()
answer_own = nn.Parameter(answer.data).numel()
