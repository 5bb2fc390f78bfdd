"""Weights whose gradients are zero, which an optimizer decays all the same, and weights without any, which it leaves
alone: an adapter that begins with zeros, a critic that is clipped and whose last bias cancels out, a layer that is not
used, heads that take turns."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim


class Adapted(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 5)
        self.down = nn.Linear(6, 2, bias=False)
        self.up = nn.Linear(2, 5, bias=False)
        self.last = nn.Linear(5, 3)
        self.unused = nn.Linear(5, 1)

    def forward(self, x):
        return self.last(torch.tanh(self.first(x) + self.up(self.down(x))))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 4)
        self.last = nn.Linear(4, 1)

    def forward(self, x):
        return self.last(F.relu(self.first(x)))


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear(4, 6)

    def forward(self, z):
        return torch.tanh(self.last(z))


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 5)
        self.heads = nn.ModuleList([nn.Linear(5, 3) for _ in range(2)])

    def forward(self, x, task):
        return self.heads[task](torch.tanh(self.body(x)))


def networks():
    return Adapted(), Critic(), Generator(), Heads()


def adapt(net, inputs, labels, losses):
    nn.init.zeros_(net.up.weight)
    optimizer = optim.AdamW(net.parameters(), lr=0.05, weight_decay=0.5)
    for x, y in zip(inputs, labels):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        losses.append(loss.item())
        for parameter in net.parameters():
            if parameter.grad is not None:
                parameter.grad.data.clamp_(-0.5, 0.5)
        optimizer.step()
        losses += [net.down.weight.abs().sum().item(), net.unused.weight.abs().sum().item()]


def compete(critic, generator, noise, real, losses):
    of_critic = optim.RMSprop(critic.parameters(), lr=0.01)
    of_generator = optim.RMSprop(generator.parameters(), lr=0.01)
    for z, x in zip(noise, real):
        for p in critic.parameters():
            p.requires_grad = True
            p.data.clamp_(-0.3, 0.3)
        with torch.no_grad():
            fake = generator(z)
        of_critic.zero_grad()
        loss = critic(fake.detach()).mean() - critic(x).mean()
        loss.backward()
        of_critic.step()
        losses.append(loss.item())
        for p in critic.parameters():
            p.requires_grad = False
        of_generator.zero_grad()
        loss = -torch.mean(critic(generator(z)))
        loss.backward()
        of_generator.step()
        losses.append(loss.item())


def take_turns(net, inputs, labels, losses):
    """Steps that a head misses count neither for it nor for what an optimizer keeps of it."""
    for make in (
        lambda weights: optim.Adam(weights, lr=0.05, weight_decay=0.1),
        lambda weights: optim.SGD(weights, lr=0.1, momentum=0.9),
        lambda weights: optim.Adamax(weights, lr=0.05),
    ):
        optimizer = make(net.parameters())
        for step, (x, y) in enumerate(zip(inputs, labels)):
            optimizer.zero_grad()
            loss = F.cross_entropy(net(x, step // 2 % 2), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())


def run(net, critic, generator, heads, arrays):
    losses = []
    inputs, noise, real = (torch.from_numpy(arrays[name]) for name in ("inputs", "noise", "real"))
    adapt(net, inputs, torch.from_numpy(arrays["labels"]), losses)
    compete(critic, generator, noise, real, losses)
    take_turns(heads, inputs, torch.from_numpy(arrays["labels"]), losses)
    return losses
