"""Trainer classes: the loss is computed in one method, `backward()` called in another, gradients are added up over
batches, limited, scaled for half precision, read by hand, and weights are averaged."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 12, bias=False)
        self.norm = nn.BatchNorm1d(12)
        self.last = nn.Linear(12, 3)
        self.unused = nn.Linear(3, 3)

    def forward(self, x):
        return self.last(F.relu(self.norm(self.first(x))))


class Averaged:
    def __init__(self, model, decay=0.8):
        self.model, self.decay = copy.deepcopy(model), decay

    def update(self, model):
        with torch.no_grad():
            for slow, now in zip(self.model.parameters(), model.parameters()):
                slow.mul_(self.decay).add_(now, alpha=1 - self.decay)


class Trainer:
    def __init__(self, model, accumulate=2):
        self.model, self.accumulate = model, accumulate
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=2, gamma=0.5)
        self.scaler = GradScaler()
        self.average = Averaged(model)
        self.norms = []

    def compute_loss(self, x, y):
        with autocast():
            return F.cross_entropy(self.model(x), y)

    def backward_step(self, loss):
        self.scaler.scale(loss / self.accumulate).backward()

    def optimizer_step(self):
        self.scaler.unscale_(self.optimizer)
        norm = torch.nn.utils.clip_grad_norm_(
            self.model.parameters(), 0.3, error_if_nonfinite=True, foreach=True
        )
        self.norms.append(norm.item())
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        self.scheduler.step()
        self.average.update(self.model)

    def fit(self, batches):
        losses = []
        for i, (x, y) in enumerate(batches):
            loss = self.compute_loss(x, y)
            self.backward_step(loss)
            losses.append(loss.item())
            if (i + 1) % self.accumulate == 0:
                self.optimizer_step()
        self.average.model.eval()
        losses.append(self.average.model(batches[0][0]).sum().item())
        return losses + self.norms


def plain(model, batches):
    """No optimizer's step: the weights are changed by hand."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    losses = []
    for x, y in batches:
        loss = F.cross_entropy(model(x), y)
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.grad is not None:
                    parameter -= 0.1 * parameter.grad
        optimizer.step()
        losses.append(loss.item())
    return losses


def networks():
    return Net(), Net()


def run(model, other, arrays):
    pairs = list(zip(arrays["inputs"], arrays["labels"]))
    batches = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in pairs]
    return Trainer(model).fit(batches) + plain(other, batches)
