"""Training that is stopped and taken up again: network, optimizer and schedule are saved to a file and loaded into new
ones, which go on as the old ones would have."""

import copy
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, ReduceLROnPlateau, StepLR


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 8, bias=False)
        self.norm = nn.BatchNorm1d(8)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(torch.relu(self.norm(self.body(x))))


def networks():
    return Net(), Net(), Net()


def descend(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def save_checkpoint(path, epoch, model, optimizer, scheduler):
    torch.save(
        {
            "epoch": epoch + 1,
            "state_dict": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "scheduler": scheduler.state_dict(),
        },
        path,
    )


def load_checkpoint(path, model, optimizer, scheduler):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict(checkpoint["state_dict"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    return checkpoint["epoch"]


def train(model, optimizer, scheduler, batches, folder):
    """Two steps, a checkpoint, and the others with what was made anew from it."""
    path = os.path.join(folder, "checkpoint.pt")
    losses = []
    for epoch, (x, y) in enumerate(batches[:2]):
        losses.append(descend(model, optimizer, x, y))
        scheduler.step()
        save_checkpoint(path, epoch, model, optimizer, scheduler)
    return losses, path


def with_adam(model, batches, folder):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    scheduler = StepLR(optimizer, step_size=3, gamma=0.5)
    losses, path = train(model, optimizer, scheduler, batches, folder)
    other = copy.deepcopy(model)
    x, y = batches[0]
    descend(other, torch.optim.SGD(other.parameters(), lr=1.0), x, y)
    optimizer = torch.optim.Adam(other.parameters(), lr=0.7)
    scheduler = StepLR(optimizer, step_size=3, gamma=0.5)
    losses.append(load_checkpoint(path, other, optimizer, scheduler))
    for x, y in batches[2:]:
        losses.append(descend(other, optimizer, x, y))
        scheduler.step()
    return losses


def with_sgd(model, batches, folder):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = CosineAnnealingLR(optimizer, T_max=5)
    losses, path = train(model, optimizer, scheduler, batches, folder)
    other = copy.deepcopy(model)
    optimizer = torch.optim.SGD(other.parameters(), lr=0.3, momentum=0.9)
    scheduler = CosineAnnealingLR(optimizer, T_max=5)
    losses.append(load_checkpoint(path, other, optimizer, scheduler))
    for x, y in batches[2:]:
        losses.append(descend(other, optimizer, x, y))
        scheduler.step()
    losses.append(len(optimizer.state_dict()["param_groups"]))
    return losses


def with_groups(model, batches):
    groups = [{"params": model.body.parameters()}, {"params": model.head.parameters(), "lr": 0.01}]
    optimizer = torch.optim.AdamW(groups, lr=0.02, weight_decay=0.1)
    warmup = LambdaLR(optimizer, lambda epoch: min(1.0, (epoch + 1) / 3))
    plateau = ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
    losses = []
    for x, y in batches:
        losses.append(descend(model, optimizer, x, y))
        warmup.step()
        plateau.step(sum(losses[-2:]))
        kept = copy.deepcopy((optimizer.state_dict(), warmup.state_dict(), plateau.state_dict()))
        losses.append(descend(model, optimizer, x, y))
        warmup.step()
        optimizer.load_state_dict(kept[0])
        warmup.load_state_dict(kept[1])
        plateau.load_state_dict(kept[2])
    return losses


def run(first, second, third, arrays):
    batches = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays["inputs"], arrays["labels"])]
    with tempfile.TemporaryDirectory() as folder:
        losses = with_adam(first, batches, folder) + with_sgd(second, batches, folder)
    return losses + with_groups(third, batches)
