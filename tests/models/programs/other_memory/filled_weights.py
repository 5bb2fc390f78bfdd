"""Weights that are filled in place before they are trained, and brought back to those of an earlier step in between."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(6, 3))
        self.bias = nn.Parameter(torch.zeros(3))

    def fill(self):
        nn.init.constant_(self.weight, 0.3)
        nn.init.zeros_(self.bias)
        with torch.no_grad():
            self.weight[2:] = -0.1
            self.bias[:] = 0.2

    def forward(self, x):
        return x @ self.weight + self.bias


def networks():
    return Table(), Table(), Table()


def trained(model, optimizer, batches):
    losses, kept = [], copy.deepcopy(model.state_dict())
    for number, (x, y) in enumerate(batches):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses += [loss.item(), sum(p.abs().sum() for p in model.parameters()).item()]
        if number == 1:
            model.load_state_dict(kept)
    return losses


def run(first, second, third, arrays):
    batches = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays["inputs"], arrays["labels"])]
    for model in (first, second, third):
        model.fill()
    return (
        trained(first, torch.optim.Adam(first.parameters(), lr=0.05), batches)
        + trained(second, torch.optim.SGD(second.parameters(), lr=0.5, momentum=0.9), batches)
        + trained(third, torch.optim.AdamW(third.parameters(), lr=0.05), batches)
    )
