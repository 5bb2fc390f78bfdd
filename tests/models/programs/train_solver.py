"""A solver that is a module itself: methods of its own have the names of a module's, and so have those of a plain class
that it keeps."""

from itertools import product

import torch
import torch.nn as nn
import torch.nn.functional as F


class PriorBox(object):
    def __init__(self, sizes):
        super(PriorBox, self).__init__()
        self.sizes = sizes

    def forward(self):
        mean = []
        for size in self.sizes:
            for i, j in product(range(size), repeat=2):
                mean += [(j + 0.5) / size, (i + 0.5) / size, 1.0 / size]
        return torch.tensor(mean).view(-1, 3)

    def to(self, scale):
        return PriorBox([size * scale for size in self.sizes])


class Steps:
    """Counts; no optimizer."""

    def __init__(self):
        self.count = 0

    def step(self):
        self.count += 1
        return self.count


class Solver(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3))
        self.priorbox = PriorBox([1, 1])
        self.priors = self.priorbox.to(1).forward()
        self.steps = Steps()

    def forward(self, x):
        return self.net(x) + self.priors.mean(0)

    def train(self, loader, losses):
        optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1, momentum=0.9)
        self.net.train()
        for data, target in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(self.forward(data), target)
            loss.backward()
            optimizer.step()
            losses.append(loss.item() + self.steps.step())
        return self.eval(loader)

    def eval(self, loader):
        self.net.eval()
        with torch.no_grad():
            return [F.cross_entropy(self(data), target).item() for data, target in loader]


def networks():
    return (Solver(),)


def run(solver, arrays):
    losses = []
    data, labels = torch.from_numpy(arrays["inputs"]), torch.from_numpy(arrays["labels"])
    losses += solver.train(list(zip(data, labels)), losses)
    return losses
