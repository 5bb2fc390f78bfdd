"""A network that is made, and gets its weights by length and direction, when another one is trained already; gradients
are clipped by a function of the project's own that takes them from the optimizer."""

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils as utils
from torch.nn.utils import weight_norm


def limit_norm(optimizer, most):
    for group in optimizer.param_groups:
        utils.clip_grad_norm_(group["params"], most)


def weighted_by_length(layer):
    twin = nn.Linear(6, 3)
    twin.weight.data.copy_(layer.weight.data)
    twin.bias.data.copy_(layer.bias.data)
    return weight_norm(twin)


def constant(layer):
    with torch.no_grad():
        layer.weight.data.uniform_(0.3, 0.3)
    layer.bias.data.normal_(0.2, 0.0)
    layer.bias.data.bernoulli_(1.0).mul_(0.5)
    return layer


def train(network, inputs, labels, optimizer):
    losses = []
    for x, y in zip(inputs, labels):
        optimizer.zero_grad()
        loss = F.cross_entropy(network(x), y)
        loss.backward()
        limit_norm(optimizer, 0.05)
        optimizer.step()
        losses.append(loss.item())
    return losses


def networks():
    return nn.Linear(6, 3), nn.Linear(6, 3)


def run(first, second, arrays):
    inputs, labels = torch.from_numpy(arrays["inputs"]), torch.from_numpy(arrays["labels"])
    losses = train(first, inputs, labels, torch.optim.SGD(first.parameters(), lr=0.5))
    late = weighted_by_length(second)
    third = constant(nn.Linear(6, 3))
    losses += [third.weight.sum().item(), third.bias.sum().item()]
    return losses + train(late, inputs, labels, torch.optim.Adam(late.parameters(), lr=0.1))
