"""Layers through which a gradient of a gradient would raise are written otherwise, where one goes through them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.checking.fixing import fix_paths
from mindport.config.settings import Settings
from mindport.model.target import Device, Target, Version

CPU = Target(Version(2, 10, 0), Device.CPU)
CRITIC = """import torch
import torch.nn as nn
import torch.nn.functional as F


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 4, 3)
        self.layer = {layer}
        self.last = nn.Conv2d(4, 1, 1)

    def forward(self, x):
        return self.last({step}).sum((1, 2, 3))


def penalty(critic, x):
    x.requires_grad_(True)
    out = critic(x)
    {gradient}


def step(critic, optimizer, x):
    optimizer.zero_grad()
    loss = penalty(critic, x)
    loss.backward()
    optimizer.step()


critic = Critic()
step(critic, torch.optim.Adam(critic.parameters()), torch.randn(2, 3, 8, 8))
"""
TWICE = """(g,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    return ((g.flatten(1).norm(2, dim=1) - 1) ** 2).mean()"""
ONCE = "return out.mean()"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("layer", "step", "twice", "once"),
    [
        ("nn.InstanceNorm2d(4)", "", "GroupNormByMoments(4, 4, eps=1e-05", "nn.GroupNorm(4, 4, eps=1e-05"),
        ("nn.AvgPool2d(2)", "", "AvgPool2dBySlices(2, 2)", "nn.AvgPool2d(2, 2)"),
        ("nn.PReLU()", "", "PReLUByReLU()", "nn.PReLU()"),
        ("nn.ReflectionPad2d(1)", "", "PadByIndices(1, 2, 'reflect')", "nn.ReflectionPad2d(1)"),
        ("nn.ZeroPad2d(1)", "", "TorchZeroPad2d(1)", "nn.ZeroPad2d(1)"),
        ("nn.Tanh()", "", "nn.Tanh()", "nn.Tanh()"),
        ("nn.Tanh()", "F.relu6(self.first(x))", "relu6_by_relu(self.first(x))", "ops.relu6(self.first(x))"),
        ("nn.Tanh()", "F.tanh(self.first(x))", "ops.tanh(self.first(x))", "ops.tanh(self.first(x))"),
    ],
)  # fmt: skip
def test_what_lies_on_the_way_of_a_second_gradient(
    tmp_path: Path, layer: str, step: str, twice: str, once: str
) -> None:
    for gradient, wanted in ((TWICE, twice), (ONCE, once)):
        text = CRITIC.format(layer=layer, step=step or "self.layer(self.first(x))", gradient=gradient)
        path = tmp_path / "critic.py"
        path.write_text(text, encoding="utf-8")
        files = fix_paths([str(path)], Settings(), CPU, str(tmp_path), unsafe=True, allow_dirty=True)
        (fixed,) = (one for one in files if not one.is_new)
        assert fixed.after is not None
        assert wanted in fixed.after.text
