"""Gradients that are taken inside of a step, with `autograd.grad` and for inputs: the inner loop of first-order MAML
with weights that are passed by hand, the adaptation of a copy, and images that are changed against a classifier."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import autograd


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 8)
        self.last = nn.Linear(8, 3)

    def forward(self, x, weights=None):
        if weights is None:
            weights = list(self.parameters())
        x = torch.tanh(F.linear(x, weights[0], weights[1]))
        return F.linear(x, weights[2], weights[3])


class Meta:
    def __init__(self, net, rate=0.4):
        self.net, self.rate = net, rate
        self.optimizer = torch.optim.Adam(net.parameters(), lr=0.01)

    def adapt(self, x, y, weights):
        loss = F.mse_loss(self.net(x, weights), y)
        gradients = autograd.grad(loss, weights, retain_graph=True)
        return [weight - self.rate * gradient for weight, gradient in zip(weights, gradients)]

    def step(self, x, y):
        weights = list(self.net.parameters())
        for _ in range(3):
            weights = self.adapt(x[:3], x[:3, 1:4].abs(), weights)
        loss = F.cross_entropy(self.net(x[3:], weights), y[3:])
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def evaluate(self, x, y):
        net = copy.deepcopy(self.net)
        gradients = torch.autograd.grad(F.cross_entropy(net(x), y), net.parameters())
        weights = [weight - self.rate * one for weight, one in zip(net.parameters(), gradients)]
        for _ in range(2):
            gradients = torch.autograd.grad(F.cross_entropy(net(x, weights), y), weights)
            weights = [weight - self.rate * one for weight, one in zip(weights, gradients)]
        with torch.no_grad():
            return F.cross_entropy(net(x, weights), y).item()


def against(net, x, y):
    changed = x.clone()
    changed.requires_grad_(True)
    loss = F.cross_entropy(net(changed), y)
    loss.backward()
    return (changed + 0.1 * changed.grad.sign()).detach()


class Trainer:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.05)

    def step(self, x, y):
        changed = against(self.net, x, y)
        loss = F.cross_entropy(self.net(changed), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def saliency(net, x, y):
    """How much each input matters for its class, with a leaf that is made for it."""
    image = autograd.Variable(x, requires_grad=True)
    score = net(image).gather(1, y.view(-1, 1)).sum()
    (found,) = autograd.grad(score, image)
    return found.abs().max().item()


def networks():
    return Learner(), Learner()


def run(learner, net, arrays):
    losses = []
    meta, trainer = Meta(learner), Trainer(net)
    for i in range(5):
        x, y = torch.from_numpy(arrays["inputs"][i]), torch.from_numpy(arrays["labels"][i])
        losses.append(meta.step(x, y))
        losses.append(meta.evaluate(x, y))
        losses.append(trainer.step(x, y))
        losses.append(saliency(net, x, y))
    return losses
