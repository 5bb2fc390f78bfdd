"""Penalties of networks that no graph can be compiled of train as in torch: also where a value changes that is no
input, for other sizes, of a method, and in a program that is recorded."""

from __future__ import annotations

import json

import pytest
from running_programs import ported, printed_by

pytestmark = pytest.mark.oracle

NETWORK = """
import json

import numpy as np
import torch
from torch import nn


class Embedding:
    def __init__(self):
        self.scale = 1.0
        self.functions = [lambda x: x]
        for frequency in (1.0, 2.0):
            for function in (torch.sin, torch.cos):
                self.functions.append(lambda x, by=function, frequency=frequency: by(x * frequency))

    def embed(self, x):
        return torch.cat([one(x * self.scale) for one in self.functions], -1)


def embedder():
    held = Embedding()

    def embed(x, by=held):
        return by.embed(x)

    return embed, held


class Distance(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.held = embedder()
        self.first = nn.Linear(15, 4)
        self.last = nn.Linear(4, 2)
        with torch.no_grad():
            for at, weight in enumerate(self.parameters()):
                values = np.random.RandomState(at).uniform(-0.5, 0.5, tuple(weight.shape))
                weight.copy_(torch.from_numpy(values.astype("float32")))

    def forward(self, x):
        hidden = torch.tanh(self.first(self.embed(x)))
        return self.last(hidden.reshape(2, -1, 4).permute(1, 0, 2).reshape(-1, 4))

    def distance(self, x):
        return self.forward(x)[:, :1]
"""
FOLLOWED = """

def train():
    net = Distance()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    losses = []
    for step in range(5):
        net.held.scale = 1.0 if step < 3 else 0.7
        values = np.random.RandomState(9 + step).randn(4 if step == 4 else 6, 3).astype("float32")
        x = torch.from_numpy(values).requires_grad_(True)
        optimizer.zero_grad()
        out = net.distance(x)
        slopes = torch.autograd.grad(out, x, torch.ones_like(out), create_graph=True)[0]
        loss = ((slopes.norm(2, dim=1) - 1) ** 2).mean() + out.mean() ** 2
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


print(json.dumps(train()))
"""
RECORDED = """

def slope(out, x):
    gradient = torch.autograd.grad(outputs=out.mean(), inputs=x, create_graph=True)[0]
    return gradient.pow(2).sum()


class Trainer:
    def __init__(self, net, optimizer):
        self.net, self.optimizer = net, optimizer

    def update(self, loss):
        loss.backward()

    def step(self, x, scale):
        self.net.held.scale = scale
        self.optimizer.zero_grad()
        x.requires_grad_()
        out = self.net(x)
        out.pow(2).mean().backward(retain_graph=True)
        penalty = slope(out, x)
        self.update(penalty)
        self.optimizer.step()
        return penalty.item()


net = Distance()
trainer = Trainer(net, torch.optim.SGD(net.parameters(), lr=0.1))
losses = []
for step in range(4):
    values = np.random.RandomState(9 + step).randn(6, 3).astype("float32")
    losses.append(trainer.step(torch.from_numpy(values), 1.0 if step < 2 else 0.7))
print(json.dumps(losses))
"""

# A graph would not see that the shortcut has what the activation wrote.
OVERWRITTEN = """
import json

import numpy as np
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.LeakyReLU(0.2, inplace=True)
        self.conv = nn.Conv2d(4, 4, 3, padding=1)

    def forward(self, x):
        shortcut = x
        return shortcut + self.conv(self.act(x))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(2, 4, 3, padding=1), Block(), Block(), nn.Conv2d(4, 1, 1))
        with torch.no_grad():
            for at, weight in enumerate(self.parameters()):
                values = np.random.RandomState(at).uniform(-0.5, 0.5, tuple(weight.shape))
                weight.copy_(torch.from_numpy(values.astype("float32")))

    def forward(self, x):
        return self.body(x)


def train():
    net = Critic()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        values = np.random.RandomState(9 + step).randn(3, 2, 5, 5).astype("float32")
        x = torch.from_numpy(values).requires_grad_(True)
        optimizer.zero_grad()
        out = net(x)
        slopes = torch.autograd.grad(out.sum(), x, create_graph=True)[0]
        loss = slopes.pow(2).sum() / 3 + out.mean() ** 2
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


print(json.dumps(train()))
"""
# Settings by their names are constants of a graph, tensors are none; a wrapper hands both on.
NAMED = """
import json

import numpy as np
import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 4), nn.Linear(4, 4), nn.Linear(4, 1)])
        self.skip = nn.Linear(3, 4)
        with torch.no_grad():
            for at, weight in enumerate(self.parameters()):
                values = np.random.RandomState(at).uniform(-0.5, 0.5, tuple(weight.shape))
                weight.copy_(torch.from_numpy(values.astype("float32")))

    def forward(self, x, step=0, alpha=-1, weights=None):
        out = torch.tanh(self.layers[0](x))
        for index in range(step):
            out = torch.tanh(self.layers[1](out))
        if 0 <= alpha < 1:
            out = (1 - alpha) * self.skip(x) ** 2 + alpha * out
        if weights is not None:
            out = out * weights
        return self.layers[2](out)


def penalty(net, x, step, alpha):
    x.requires_grad_()
    out = net(x, step=step, alpha=alpha)
    slopes = torch.autograd.grad(outputs=out.sum(), inputs=x, create_graph=True)[0]
    return ((slopes.view(slopes.size(0), -1).norm(2, dim=1) - 1) ** 2).mean()


def weighed(net, x, weights):
    x.requires_grad_()
    out = net(x, weights=weights, step=2)
    slopes = torch.autograd.grad(outputs=out.sum(), inputs=x, create_graph=True)[0]
    return slopes.pow(2).sum()


critic = Critic()
wrapped = nn.DataParallel(critic)
optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
losses = []
for step in range(5):
    values = np.random.RandomState(9 + step).randn(6, 3).astype("float32")
    x = torch.from_numpy(values)
    optimizer.zero_grad()
    loss = penalty(wrapped, x, step // 2, 0.2 * step) + weighed(critic, x, torch.ones(6, 4) * (step + 1.0))
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
print(json.dumps(losses))
"""
# A hook works out the weights, which takes rows by their number; the input is marked, so it gets a gradient, too.
MARKED = """
import json
from math import sqrt

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class EqualRate:
    def __call__(self, module, input):
        weight = module.weight_orig
        count = weight.data.size(1) * weight.data[0][0].numel()
        setattr(module, "weight", weight * sqrt(2 / count))


def equal_rate(module):
    weight = module.weight
    del module._parameters["weight"]
    module.register_parameter("weight_orig", nn.Parameter(weight.data))
    module.register_forward_pre_hook(EqualRate())
    return module


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = equal_rate(nn.Conv2d(3, 4, 3, padding=1))
        self.linear = equal_rate(nn.Linear(4, 1))
        with torch.no_grad():
            for at, weight in enumerate(self.parameters()):
                values = np.random.RandomState(at).uniform(-0.5, 0.5, tuple(weight.shape))
                weight.copy_(torch.from_numpy(values.astype("float32")))

    def forward(self, x, step=0):
        hidden = torch.tanh(self.conv(x))
        return self.linear(hidden.mean((2, 3)))


class Trainer:
    def __init__(self, net):
        self.net, self.optimizer = net, torch.optim.SGD(net.parameters(), lr=0.1)

    def step(self, x):
        self.optimizer.zero_grad()
        x.requires_grad = True
        out = self.net(x, step=1)
        F.softplus(-out).mean().backward(retain_graph=True)
        slopes = torch.autograd.grad(outputs=out.sum(), inputs=x, create_graph=True)[0]
        penalty = 5 * (slopes.view(slopes.size(0), -1).norm(2, dim=1) ** 2).mean()
        penalty.backward()
        self.optimizer.step()
        return [penalty.item(), x.grad.abs().sum().item()]


trainer = Trainer(Critic())
results = []
for step in range(3):
    values = np.random.RandomState(9 + step).randn(4, 3, 4, 4).astype("float32")
    results += trainer.step(torch.from_numpy(values))
print(json.dumps(results))
"""
PROGRAMS = {
    "marked": MARKED,
    "followed": NETWORK + FOLLOWED,
    "recorded": NETWORK + RECORDED,
    "overwritten": OVERWRITTEN,
    "named": NAMED,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_losses_are_those_of_torch(name, tmp_path):
    pytest.importorskip("mindspore")
    pytest.importorskip("torch")
    original, port = tmp_path / "original", tmp_path / "port"
    original.mkdir()
    (original / "main.py").write_text(PROGRAMS[name], encoding="utf-8")
    expected = json.loads(printed_by(original, "main.py").splitlines()[-1])
    ported(original, port)
    written = (port / "main.py").read_text(encoding="utf-8")
    assert "input_gradient" in written
    assert "import torch\n" not in written
    assert json.loads(printed_by(port, "main.py").splitlines()[-1]) == pytest.approx(expected, rel=1e-4)
