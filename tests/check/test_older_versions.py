"""What is written for a version that lacks what the newest has: training programs stand on it."""

from __future__ import annotations

import pytest

from mindport.checking.engine import Engine
from mindport.checking.fix_round import Fixer, fix_once
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.target import Device, Target, Version
from mindport.source.text import SourceText
from mindport.usage.project import Project

PATH = "/project/a.py"
FUNCTION = """import torch
import torch.nn.functional as F


def f(x: torch.Tensor, v: torch.Tensor, i):
    {statement}
"""


def fixed(statement, version):
    """A statement on tensors after one round of all fixes for a version."""
    text = FUNCTION.replace("{statement}", statement)
    project = Project("/project")
    project.add(PATH, text)
    target = Target(Version.parse(version), Device.CPU)
    fixer = Fixer(Engine(target), RuleFilter(Settings(), "/project"), unsafe=True)
    made = fix_once(PATH, SourceText(PATH, text), project.usage(PATH), fixer)
    assert made is not None
    return made.text.splitlines()[-1].strip()


@pytest.mark.parametrize(
    ("statement", "before", "now"),
    [
        # No tensor has `data` before 2.8, and no Parameter has one that can be assigned.
        ("y = x.data + v", "y = x + v", "y = x.data + v"),
        ("y = x.grad.data", "y = x.grad", "y = x.grad.data"),
        ("x.data = v", "TorchElements(x)[()] = v", "x.data = v"),
        ("x.data -= 0.1 * v.data", "x[()] = TorchElements(x)[()] - 0.1 * v", "x[()] = x.data - 0.1 * v.data"),
        ("x.data[i] = 1", "TorchElements(x)[i] = 1", "TorchElements(x)[i] = 1"),
        ("x.data[0] = 1", "TorchElements(x)[0] = 1", "x.data[0] = 1"),
        ("x.data, y = v, i", "TorchElements(x)[()], y = v, i", "x.data, y = v, i"),
        # mint.flatten has no kernel on the CPU there; the function was run there, the method in its place was not.
        ("y = torch.flatten(x, 1)", "y = torch_flatten(x, 1)", "y = mint.flatten(x, 1)"),
        ("y = torch.flatten(x)", "y = torch_flatten(x)", "y = mint.flatten(x)"),
        # A value that is less well proved than the statement is better than a method that changes nothing.
        (
            "x.view(-1).mul_(2).add_(v)",
            "torch_in_place(mindspore.Tensor.add, torch_in_place(mindspore.Tensor.mul, x.view(-1), 2), v)",
            "torch_in_place(mindspore.Tensor.add, torch_in_place(mindspore.Tensor.mul, x.view(-1), 2), v)",
        ),
        (
            "v.requires_grad_(True)",
            "torch_tensor_requires_grad_(v, True)",
            None,
        ),
    ],
)
def test_before_2_8_and_now(statement, before, now):
    assert fixed(statement, "2.7.0") == before
    if now is not None:
        # What stays needs a fix beside it, so that there is a round.
        assert fixed(statement, "2.10.0") == now
