"""What training scripts do with weights beside the optimizer: freeze and unfreeze some, clip them as a WGAN does, keep a
moving average or a target network, add their norm to the loss, count them."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 8, bias=False)
        self.norm = nn.BatchNorm1d(8)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(torch.relu(self.norm(self.body(x))))


def networks():
    return Net(), Net(), Net(), Net()


@torch.no_grad()
def moving_average(model, average, decay):
    for p, q in zip(model.parameters(), average.parameters()):
        q.mul_(decay).add_(p, alpha=1 - decay)


def soft_update(target, source, tau):
    for target_param, param in zip(target.parameters(), source.parameters()):
        target_param.data.copy_(target_param.data * (1.0 - tau) + param.data * tau)


def accumulate(average, model, decay):
    kept = dict(average.named_parameters())
    now = dict(model.named_parameters())
    for name in kept:
        kept[name].data.mul_(decay).add_(now[name].data, alpha=1 - decay)


def total(model):
    return sum(p.abs().sum() for p in model.parameters()).item()


def fine_tune(model, batches):
    """Trains the head alone, then all but the norms."""
    for p in model.parameters():
        p.requires_grad = False
    for p in model.head.parameters():
        p.requires_grad_(True)
    trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
    optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=0.05)
    losses = [trainable, sum(p.numel() for p in model.parameters())]
    for step, (x, y) in enumerate(batches):
        if step == 3:
            for name, p in model.named_parameters():
                p.requires_grad = "norm" not in name
            optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses + [total(model)]


def train_clipped(critic, batches):
    """A critic with limited weights and a penalty on them, its average, and two networks that follow it."""
    average, target, other = copy.deepcopy(critic), copy.deepcopy(critic), copy.deepcopy(critic)
    optimizer = torch.optim.RMSprop(critic.parameters(), lr=0.01)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        norm = 0.0
        for p in critic.parameters():
            norm = norm + p.pow(2).sum()
        loss = critic(x).mean() + 0.01 * norm
        loss.backward()
        optimizer.step()
        for p in critic.parameters():
            p.data.clamp_(-0.1, 0.1)
        moving_average(critic, average, 0.9)
        soft_update(target, critic, 0.3)
        accumulate(other, critic, 0.5)
        losses += [loss.item(), total(critic), total(average), total(target), total(other)]
    return losses


def prune(model: Net, batches):
    """Trains a network whose small weights are set to zero, by masks and by names that stand for the memory of a
    weight."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        model.head.weight.data[model.head.weight.data.abs() < 0.1] = 0.0
        with torch.no_grad():
            model.body.weight[model.body.weight < -0.2] = -0.2
        weight, bias = model.body.weight.data, model.head.bias.data
        weight[weight > 0.4] *= 0.5
        bias += 0.01
        model.head.weight.data *= 0.99
        losses += [loss.item(), total(model)]
    return losses


def by_hand(model, batches):
    """Weights that decay without an optimizer, and a flat copy of them."""
    losses = []
    for x, y in batches:
        with torch.no_grad():
            for p in model.parameters():
                p -= 0.1 * p
            flat = torch.cat([p.view(-1) for p in model.parameters()])
            losses += [F.cross_entropy(model(x), y).item(), flat.sum().item()]
    return losses


def run(tuned, critic, other, pruned, arrays):
    batches = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays["inputs"], arrays["labels"])]
    losses = fine_tune(tuned, batches) + train_clipped(critic, batches) + by_hand(other, batches)
    return losses + prune(pruned, batches)
