"""Parameters count, buffers and plain tensors do not."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(3, 4))
        self.scale = nn.Parameter(torch.ones(1), requires_grad=False)
        self.register_parameter("shift", nn.Parameter(torch.empty(2, 2)))
        self.register_parameter("bias", None)
        self.register_buffer("mask", torch.ones(10, 10))
        self.plain = torch.randn(5)
        self.list = [nn.Parameter(torch.zeros(7))]


answer = Net()
answer_bias = answer.bias
answer_names = [name for name, _ in answer.named_parameters()]
