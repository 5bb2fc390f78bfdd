"""The gradient of a penalty is taken where the network is called, so that its function can be differentiated."""

from __future__ import annotations

import pytest

from mindport.rewrite.gradients_by_callers import gradients_by_callers
from mindport.rewrite.text_edits import with_edits

METHOD = """import torch

class Solver:
    def penalty(self, y, x):
        \"\"\"(L2_norm(dy/dx) - 1)**2, 层 🙂.\"\"\"
        weight = torch.ones(y.size()).to(self.device)
        dydx = torch.autograd.grad(outputs=y, inputs=x,
                                   grad_outputs=weight, create_graph=True)[0]
        return torch.mean((dydx.view(x.size(0), -1).norm(dim=1) - 1) ** 2)

    def train(self, x):
        out, _ = self.D(x)  # 🙂
        return self.penalty(out, x)
"""
BY_CALLER = """import torch

class Solver:
    def penalty(self, dydx, x):
        \"\"\"(L2_norm(dy/dx) - 1)**2, 层 🙂.\"\"\"
        return torch.mean((dydx.view(x.size(0), -1).norm(dim=1) - 1) ** 2)

    def train(self, x):
        out, _ = self.D(x)  # 🙂
        return self.penalty(torch.autograd.grad(out, x, torch.ones_like(out), create_graph=True)[0], x)
"""
FUNCTION = """import torch
def r1(d_out, x_in):
    batch = x_in.size(0)
    grad = torch.autograd.grad(d_out.sum(), x_in, create_graph=True)[0]
    return grad.pow(2).view(batch, -1).sum(1).mean()
def loss(nets, x, y):
    out = nets.critic(x, y)
    return out.mean() + r1(out, x)
"""


def rewritten(text: str, *, is_called_elsewhere: bool = False) -> str:
    return with_edits(text, gradients_by_callers(text, lambda _: is_called_elsewhere))


def test_a_method() -> None:
    assert rewritten(METHOD) == BY_CALLER
    assert rewritten(BY_CALLER) == BY_CALLER


def test_a_function_that_sums_up() -> None:
    text = rewritten(FUNCTION)
    assert "def r1(grad, x_in):\n    batch = x_in.size(0)\n    return" in text
    assert "+ r1(torch.autograd.grad(out.sum(), x, create_graph=True)[0], x)\n" in text


def test_the_calls_of_other_files_are_not_seen() -> None:
    assert rewritten(METHOD, is_called_elsewhere=True) == METHOD


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self.penalty(out, x)", "self.penalty(x=x, y=out)"),
        ("self.penalty(out, x)", "self.penalty(out + 1, x)"),
        ("self.penalty(out, x)", "list(map(self.penalty, out, x))"),
        ("out, _ = self.D(x)", "out, _ = self.D(z)"),
        ("torch.ones(y.size())", "torch.rand(y.size())"),
        ("dydx.view", "y.mean() + dydx.view"),
        ("dydx.view", "weight.mean() + dydx.view"),
        ("create_graph=True", "create_graph=False"),
        ("inputs=x", "inputs=self.w"),
        ("    def penalty", "    @staticmethod\n    def penalty"),
        ("def penalty(self, y, x)", "def penalty(self, y, x, *more)"),
        ("def train(self, x):", "def train(self, x:"),
    ],
)
def test_what_stays(old: str, new: str) -> None:
    text = METHOD.replace(old, new)
    assert text != METHOD
    assert gradients_by_callers(text, lambda _: False) == []
