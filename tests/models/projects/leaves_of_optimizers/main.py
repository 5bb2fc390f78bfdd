"""Tensors that require gradients where they are made: for a Parameter, by themselves, for an optimizer."""

import torch
import torch.nn as nn


class Flow(nn.Module):
    def __init__(self, dim, scale=True):
        super().__init__()
        self.s = nn.Parameter(torch.randn(1, dim, requires_grad=True)) if scale else None
        self.w = torch.nn.Parameter(torch.zeros(dim, requires_grad=True))
        self.u = nn.Parameter(torch.tensor([1.0, 2.0], requires_grad=True))
        self.v = nn.Parameter(torch.ones(2).requires_grad_())

    def forward(self, x):
        return x * self.s + self.w


def main():
    f = Flow(3)
    print(len(list(f.parameters())))
    y = torch.tensor(1.0, requires_grad=True)
    (y * 2).backward()
    print(y.grad.item())
    g = torch.linspace(0, 1, 3, requires_grad=True)
    (g * g).sum().backward()
    print(g.grad.tolist())
    z = torch.zeros(3, requires_grad=True)
    opt = torch.optim.SGD([z], lr=0.5)
    for i in range(2):
        opt.zero_grad()
        ((z - 1) ** 2).sum().backward()
        opt.step()
    print(z.tolist())


if __name__ == "__main__":
    main()
