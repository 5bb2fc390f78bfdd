"""Weights that are written by hand between the steps of an optimizer: clipped, averaged into a target, copied, replaced
and set one by one. The optimizer goes on with what was written, and a copy stays as it was."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 8)
        self.last = nn.Linear(8, 3)

    def forward(self, x):
        return self.last(torch.tanh(self.first(x)))


class Trainer:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.RMSprop(net.parameters(), lr=0.02)

    def descend(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


class Clipped(Trainer):
    """A critic whose weights stay within bounds, as the one of a Wasserstein GAN."""

    def step(self, x, y):
        loss = self.descend(F.cross_entropy(self.net(x), y))
        for p in self.net.parameters():
            p.data.clamp_(-0.2, 0.2)
        return loss


class Averaged(Trainer):
    """A student, a teacher that follows it and one that follows it by name; weights come back now and then."""

    def __init__(self, net):
        super().__init__(net)
        self.teacher, self.shadow = copy.deepcopy(net), copy.deepcopy(net)

    def step(self, x, y):
        loss = F.cross_entropy(self.net(x), y)
        loss = self.descend(loss + F.mse_loss(self.net(x), self.teacher(x).detach()))
        for p, target in zip(self.net.parameters(), self.teacher.parameters()):
            target.data.mul_(0.7).add_(0.3 * p.data)
        shadows = dict(self.shadow.named_parameters())
        for name, p in self.net.named_parameters():
            mean = shadows[name].data.mul_(0.5).add_(p.data, alpha=0.5)
            loss += mean.sum().item()
        return loss

    def swap(self):
        self.net.load_state_dict(self.teacher.state_dict())


class Copied(Trainer):
    """Weights that are shrunk, replaced and copied from a network that is never trained itself."""

    def __init__(self, net):
        super().__init__(net)
        self.origin = copy.deepcopy(net)

    def step(self, x, y):
        loss = self.descend(F.cross_entropy(self.net(x), y))
        for p in self.net.parameters():
            p.data.mul_(0.95)
            p.data.add_(0.01)
        for p, other in zip(self.net.last.parameters(), self.origin.last.parameters()):
            p.data.copy_(0.5 * p.data + 0.5 * other.data)
        for p in self.net.first.parameters():
            p.data = 0.9 * p.data
        return loss


class Behind(Trainer):
    """A network that learns from what it was two steps ago, in a copy and in a list of tensors."""

    def __init__(self, net):
        super().__init__(net)
        self.past = copy.deepcopy(net)
        self.kept = [torch.zeros(p.shape) for p in net.parameters()]

    def update(self):
        for old, kept, p in zip(self.past.parameters(), self.kept, self.net.parameters()):
            old.data.copy_(p.data)
            kept.copy_(p.data)

    def step(self, x, y, i):
        wanted = self.past(x).detach() + 0.1 * self.kept[3]
        loss = self.descend(F.mse_loss(self.net(x), wanted) + F.cross_entropy(self.net(x), y))
        if i % 2 == 0:
            self.update()
        return loss


class Pruned(Trainer):
    """Weights that are set one by one."""

    def step(self, x, y):
        loss = self.descend(F.cross_entropy(self.net(x), y))
        with torch.no_grad():
            self.net.first.weight[0] = 0.0
            self.net.last.weight[:, 1] *= 0.5
            self.net.last.bias[2] = 0.25
            self.net.first.bias.copy_(self.net.first.bias * 0.5)
        self.net.first.weight.data[1] = 0.125
        self.net.last.weight.data[:, 2:4] -= 0.25
        for p in self.net.first.parameters():
            p.data[2:4].mul_(0.5)
        self.net.first.weight.data[self.net.first.weight.data < -0.4] = -0.3
        return loss


class Named(Trainer):
    """Weights and gradients that are written by names which stand for their memory."""

    def descend(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        for p in self.net.parameters():
            gradient = p.grad.data
            gradient.clamp_(-0.1, 0.1)
            gradient = p.grad
            gradient *= 0.5
        self.optimizer.step()
        return loss.item()

    def step(self, x, y):
        loss = self.descend(F.cross_entropy(self.net(x), y))
        net: Critic = self.net
        first, last = net.first.weight.data, net.last.weight.detach()
        first.clamp_(-0.3, 0.3)
        first[0] = 0.125
        first[first.abs() < 0.05] = 0.0
        last.mul_(0.9)
        last[1:].add_(0.01)
        flat = net.last.weight.data.view(-1)
        flat[2] = 0.25
        for memory in [p.data for p in net.parameters()]:
            memory.mul_(0.99)
        for p in net.first.parameters():
            memory = p.data
            memory += 0.01
            p.data *= 0.95
        return loss


def networks():
    return Critic(), Critic(), Critic(), Critic(), Critic(), Critic()


def run(first, second, third, fourth, fifth, sixth, arrays):
    clipped, averaged, copied, pruned = Clipped(first), Averaged(second), Copied(third), Pruned(fourth)
    behind, named = Behind(fifth), Named(sixth)
    losses = []
    for i in range(5):
        x, y = torch.from_numpy(arrays["inputs"][i]), torch.from_numpy(arrays["labels"][i])
        losses += [trainer.step(x, y) for trainer in (clipped, averaged, copied, pruned)]
        losses += [behind.step(x, y, i), named.step(x, y)]
        if i == 2:
            averaged.swap()
        for net in (
            first,
            second,
            averaged.teacher,
            averaged.shadow,
            third,
            fourth,
            fifth,
            behind.past,
            sixth,
        ):
            losses.append(sum(p.abs().sum().item() for p in net.parameters()))
    return losses
