"""Networks that write into tensors on their way: into data, past the gradient, by another name of a tensor, by
another shape, and into what they are given, which is read again."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Masked(nn.Module):
    """Writes into data: the loss sees it, the gradient goes on as if it had not."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(6, 6)
        self.last = nn.Linear(6, 6)

    def masked(self, outputs, mask):
        outputs[0].data.masked_fill_(mask, 0.1)
        outputs[1].detach().mul_(0.5)
        return outputs

    def forward(self, x):
        h = self.layer(x)
        h.data.clamp_(-1, 1)
        h.data[:, 0] += 0.1
        known = h.detach()
        known[x > 1] = 0.2
        first, second = self.masked([h, self.last(x)], x < -1)
        with torch.no_grad():
            first += 0.05
        self.layer.weight.data.mul_(0.99)
        return first + second


class Turned(nn.Module):
    """Writes through other shapes of a tensor."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(6, 6)

    def forward(self, x):
        h = self.layer(x)
        h.transpose(0, 1)[1].mul_(3)
        h.transpose(0, 1).narrow(0, 1, 2)[0] = h.mean() * 2
        h.view(-1)[4:6] += h.sum()
        mask = torch.zeros(h.size(), dtype=torch.bool)
        for i in range(3):
            mask[i].narrow(0, i, h.size(1) - i - 1).fill_(True)
        return h.masked_fill(mask, 0.1)


class Shifted(nn.Module):
    """Changes what it is given."""

    def forward(self, x):
        x += 0.5
        return torch.sigmoid(x)


class Shared(nn.Module):
    """Reads tensors again that were changed by another name."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(6, 6)
        self.shifted = Shifted()

    def forward(self, x):
        h = self.layer(x)
        kept = [h]
        other = h
        other *= 1.5
        part = h[:, :2]
        part += 1
        given = h * 2
        gated = self.shifted(given) * given
        parts = [h * 1, h * 2]
        for one in parts:
            one += given.mean()
        return kept[0] + gated + parts[0] - parts[1]


def train(network, x, y, losses):
    optimizer = torch.optim.SGD(network.parameters(), lr=0.05)
    for data, target in zip(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(network(data), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())


def networks():
    return Masked(), Shared(), Turned()


def run(masked, shared, turned, arrays):
    losses = []
    x, y = torch.from_numpy(arrays["inputs"]), torch.from_numpy(arrays["labels"])
    for network in (masked, shared, turned):
        train(network, x, y, losses)
    return losses
