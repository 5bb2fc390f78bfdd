"""Weights that get other memory between two steps: an average swapped in to evaluate, the best state loaded again, a
network that starts over from another, weights written by hand."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Average:
    def __init__(self, model, decay):
        self.model, self.decay = model, decay
        self.shadow = {name: p.data.clone() for name, p in model.named_parameters()}
        self.backup = {}

    def update(self):
        for name, p in self.model.named_parameters():
            self.shadow[name] = (1.0 - self.decay) * p.data + self.decay * self.shadow[name]

    def apply_shadow(self):
        for name, p in self.model.named_parameters():
            self.backup[name] = p.data
            p.data = self.shadow[name]

    def restore(self):
        for name, p in self.model.named_parameters():
            p.data = self.backup[name]
        self.backup = {}


def network():
    return nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3))


def networks():
    return network(), network(), network()


def step(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def total(model):
    return sum(p.abs().sum() for p in model.parameters()).item()


def with_average(model, batches):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    average = Average(model, 0.8)
    losses = []
    for x, y in batches:
        losses.append(step(model, optimizer, x, y))
        average.update()
        average.apply_shadow()
        with torch.no_grad():
            losses += [F.cross_entropy(model(x), y).item(), total(model)]
        average.restore()
        losses.append(total(model))
    return losses


def from_the_best(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    best, losses = float("inf"), []
    for x, y in batches:
        loss = step(model, optimizer, x, y)
        losses += [loss, total(model)]
        if loss < best:
            best, state = loss, copy.deepcopy(model.state_dict())
        else:
            model.load_state_dict(state)
    return losses


def by_hand(model, batches):
    optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
    losses = []
    for x, y in batches:
        losses += [step(model, optimizer, x, y), total(model)]
        for p in model.parameters():
            p.data -= 0.1 * p.data
    return losses


def run(first, second, third, arrays):
    batches = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays["inputs"], arrays["labels"])]
    return with_average(first, batches) + from_the_best(second, batches * 2) + by_hand(third, batches)
