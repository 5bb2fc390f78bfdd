"""Steps whose loss depends on what a network computed in another function: a function of the loss alone would give that
network gradients of zero."""

import pytest
from loop_texts import rewritten_loops

from mindport.model.target import Device, Target, Version
from mindport.rewrite.training.rewrites import training_rewrites

CPU = Target(Version(2, 10, 0), Device.CPU)
ARGUMENT = """import torch
import torch.nn.functional as F
from torch import nn

encoder, head = nn.Linear(3, 4), nn.Linear(4, 2)  # 编码器 🙂
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)


def features(x):
    return encoder(x)


@torch.no_grad()
def frozen(x):
    return encoder(x)


def fit(h, y, weight=1.0):
    optimizer.zero_grad()
    loss = weight * F.mse_loss(head(h), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def through(h, y):
    return fit(h * 2, y)


def main(x, y):
{body}


main(torch.ones(2, 3), torch.zeros(2, 2))
"""


def reasons_of(text):
    """Why the steps of a text stay."""
    return rewritten_loops(text, lambda text, usage: training_rewrites(text, usage, CPU))[2]


def in_main(body):
    return ARGUMENT.format(body="\n".join(f"    {line}" for line in body.splitlines()))


@pytest.mark.parametrize(
    "body",
    [
        "fit(encoder(x), y)",
        "print(fit(encoder(x), y))",
        "z = encoder(x)\nfit(z, y)",
        "z = torch.relu(encoder(x)) + 1\nfit(z, y)",
        "z, n = encoder(x), 3\nfit(z, y)",
        "z = features(x)\nfit(y=y, h=z)",
        "z = encoder.forward(x)\nfit(z[0], y)",
        "z = encoder(x)\nthrough(z, y)",
        "for k in range(3):\n    z = encoder(x)\n    fit(z, y)",
        "if x.sum() > 0:\n    z = encoder(x)\nfit(z, y)",
        "with torch.autograd.set_detect_anomaly(True):\n    z = encoder(x)\n    fit(z, y)",
        "zs = [encoder(x) for _ in range(2)]\nfor z in zs:\n    fit(z, y)",
        "fit(x, y)\nfit(encoder(x), y)",
    ],
)
def test_an_argument_with_a_graph_keeps_the_step_as_it_is(body):
    assert reasons_of(in_main(body)) == [
        "the loss depends on `h`, which a network computed in another function"
    ]


@pytest.mark.parametrize(
    "body",
    [
        "fit(x, y)",
        "fit(encoder(x).detach(), y)",
        "z = encoder(x).detach()\nfit(z, y)",
        "z = encoder(x)\nz = z.detach()\nfit(z, y)",
        "z = encoder(x)\nz = x\nfit(z, y)",
        "z = encoder(x).data\nfit(z, y)",
        "with torch.no_grad():\n    z = encoder(x)\nfit(z, y)",
        "z = frozen(x)\nfit(z, y)",
        "z = encoder(x)\nprint(z)\nfit(x, y)",
        "z = x * float(encoder(x).mean())\nfit(z, y)",
        "z = encoder(x) > 0\nfit(z, y)",
        "z = encoder(x).argmax(1)\nfit(x, y, weight=len(z))",
        "z = torch.zeros_like(encoder(x))\nfit(z, y)",
        "z = other.sample(x)\nfit(z, y)",
    ],
)
def test_data_numbers_and_what_was_cut_off_hold_none(body):
    assert reasons_of(in_main(body)) == []


METHODS = """import torch
import torch.nn.functional as F
from torch import nn


class Agent:
    def __init__(self):
        self.encoder = nn.Linear(3, 4)
        self.head = nn.Linear(4, 2)
        parameters = [*self.encoder.parameters(), *self.head.parameters()]
        self.optimizer = torch.optim.Adam(parameters)

    def encode(self, x):
        {encode}

    def learn(self, h, y):
        self.optimizer.zero_grad()
        loss = F.mse_loss(self.head({given}), y)
        loss.backward()
        self.optimizer.step()

    def update(self, x, y):
        self.encode(x)
        self.learn({passed}, y)


class Other:
    def encode_all(self, x):
        self.seen = self.encoder(x)


agent = Agent()
agent.update(torch.ones(2, 3), torch.zeros(2, 2))
"""


@pytest.mark.parametrize(
    ("encode", "given", "passed", "name"),
    [
        ("self.h = self.encoder(x)", "self.h", "x", "self.h"),
        ("self.h = F.relu(self.encoder(x))", "self.h[:2] * 2", "x", "self.h"),
        ("self.a, self.h = x, self.encoder(x)", "self.h", "x", "self.h"),
        ("return self.encoder(x)", "h", "self.encode(x)", "h"),
        ("self.h = self.encoder(x)", "h", "self.encoder(x)", "h"),
        ("self.h = self.encoder(x).detach()", "self.h", "x", ""),
        ("self.h = self.encoder(x)", "self.h.detach()", "x", ""),
        ("self.h = x", "self.h", "x", ""),
        ("self.seen = x", "self.seen", "x", ""),
        ("self.h = self.encoder(x)", "h", "x", ""),
        ("self.h = self.encoder(x)", "h", "self.encode(x)", ""),
    ],
)
def test_attributes_that_another_method_leaves_with_a_graph(encode, given, passed, name):
    text = METHODS.format(encode=encode, given=given, passed=passed)
    reason = f"the loss depends on `{name}`, which a network computed in another function"
    assert reasons_of(text) == ([reason] if name else [])
