from argparse import Namespace

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

import schedulefree
from examples.mnist import main as script
from examples.mnist.main import Net

KINDS = {
    "adamw": lambda params: schedulefree.AdamWScheduleFree(params, lr=0.01, warmup_steps=2, weight_decay=0.01),
    "adamw_single": lambda params: schedulefree.AdamWScheduleFree(params, lr=0.01, foreach=False, inner_momentum=0.5),
    "adamw_reference": lambda params: schedulefree.AdamWScheduleFreeReference(params, lr=0.01),
    "radam": lambda params: schedulefree.RAdamScheduleFree(params, lr=0.01, betas=(0.9, 0.99)),
    "radam_single": lambda params: schedulefree.RAdamScheduleFree(params, lr=0.01, betas=(0.9, 0.99), foreach=False),
    "sgd": lambda params: schedulefree.SGDScheduleFree(params, lr=0.1, weight_decay=0.01),
    "sgd_single": lambda params: schedulefree.SGDScheduleFree(params, lr=0.1, foreach=False),
    "sgd_reference": lambda params: schedulefree.SGDScheduleFreeReference(params, lr=0.1),
}
CLOSURES = {
    "adamw_closure": lambda params: schedulefree.AdamWScheduleFreeClosure(params, lr=0.01, weight_decay=0.01),
    "sgd_closure": lambda params: schedulefree.SGDScheduleFreeClosure(params, lr=0.1, foreach=False),
}
WRAPPED = {
    "wrapped": lambda params: schedulefree.ScheduleFreeWrapperReference(torch.optim.SGD(params, lr=0.1, momentum=0.5), momentum=0.9),
}
ALL = [*KINDS, *CLOSURES, *WRAPPED]


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(5, 8)
        self.second = nn.Linear(8, 1)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


def build():
    net = Net()
    net.dropout1, net.dropout2 = nn.Dropout(0.0), nn.Dropout(0.0)
    return (net, *(Small() for _ in ALL))


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype(np.float32))


def forward(net, *nets):
    net.eval()
    with torch.no_grad():
        return {"mnist": net(numbers(0, 2, 1, 28, 28)), "small": nets[0](numbers(1, 3, 5))}


def stepped(net, optimizer):
    x, y = numbers(3, 12, 5), numbers(4, 12, 1)
    losses = []
    optimizer.train()
    for _ in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    optimizer.eval()
    losses.append(F.mse_loss(net(x), y).item())
    return losses


def closed(net, optimizer):
    x, y = numbers(3, 12, 5), numbers(4, 12, 1)

    def closure():
        optimizer.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        return loss

    return [optimizer.step(closure).item() for _ in range(4)]


def train(net, *nets):
    result = {}
    args = Namespace(log_interval=1, dry_run=False)
    labels = torch.from_numpy(np.random.RandomState(6).randint(0, 10, 12).astype(np.int64))
    loader = DataLoader(TensorDataset(numbers(5, 12, 1, 28, 28), labels), batch_size=4)
    optimizer = schedulefree.SGDScheduleFree(net.parameters(), lr=0.05)
    script.train(args, net, torch.device("cpu"), loader, optimizer, 1)
    script.test(net, optimizer, torch.device("cpu"), loader)
    result["mnist"] = net.fc1.weight
    for name, small in zip(ALL, nets):
        if name in CLOSURES:
            result[name + "_losses"] = closed(small, CLOSURES[name](small.parameters()))
        else:
            result[name + "_losses"] = stepped(small, {**KINDS, **WRAPPED}[name](small.parameters()))
        result[name] = small.first.weight
    return result
