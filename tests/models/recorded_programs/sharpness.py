"""Steps that read and set `grad` by hand: sharpness-aware minimisation, gradients that are looked at, shared graphs and
`backward()` of several values with a weight for each."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 10)
        self.one = nn.Linear(10, 3)
        self.two = nn.Linear(10, 1)

    def forward(self, x):
        hidden = torch.tanh(self.body(x))
        return self.one(hidden), self.two(hidden)


def grad_norm(model):
    return torch.stack([p.grad.norm(2) for p in model.parameters() if p.grad is not None]).norm(2)


def ascend(model, rho=0.05):
    moved = []
    with torch.no_grad():
        scale = rho / (grad_norm(model) + 1e-12)
        for p in model.parameters():
            if p.grad is None:
                continue
            step = p.grad * scale
            p.add_(step)
            moved.append((p, step))
    return moved


def descend(moved):
    with torch.no_grad():
        for p, step in moved:
            p.sub_(step)


def sharpness_aware(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for x, y in batches:
        loss = F.cross_entropy(model(x)[0], y)
        loss.backward()
        moved = ascend(model)
        optimizer.zero_grad()
        F.cross_entropy(model(x)[0], y).backward()
        descend(moved)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def shared(model, batches):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    seen = []
    for x, y in batches:
        optimizer.zero_grad()
        logits, value = model(x)
        loss = F.cross_entropy(logits, y)
        loss.backward(retain_graph=True)
        seen.append(grad_norm(model).item())
        value.backward(torch.full_like(value, 0.1))
        seen.append(grad_norm(model).item())
        optimizer.step()
        seen.append(loss.item())
    return seen


def networks():
    return Net(), Net()


def run(model, other, arrays):
    pairs = list(zip(arrays["inputs"], arrays["labels"]))
    batches = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in pairs]
    return sharpness_aware(model, batches) + shared(other, batches)
