import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.linears = nn.ModuleList(nn.Linear(a, b) for a, b in zip(layers[:-1], layers[1:]))
        for linear in self.linears:
            nn.init.xavier_normal_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, x, t):
        h = torch.cat([x, t], dim=1)
        for linear in self.linears[:-1]:
            h = torch.tanh(linear(h))
        return self.linears[-1](h)
