"""Parameters and settings of layers that functions are handed: callers tell which layer it is."""

from __future__ import annotations

import pytest

from mindport.usage.project import Project

TEXT = """import torch
import torch.nn as nn


class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(3))


class Plain:
    pass


class Net(nn.Module):
    def __init__(self):  # 层 🙂
        super().__init__()
        self.table, self.norm = nn.Embedding(3, 4), nn.LayerNorm(4)
        self.dense, self.own, self.plain = nn.Linear(4, 4), Own(), Plain()

    def forward(self, x):
        return CALLS


def f(layer, flag=False):
    return READ
"""


def found(calls: str, read: str = "layer.weight") -> dict[str, bool]:
    """The members of layers that the function reads, each with whether other layers may be meant, too."""
    project = Project("/p")
    project.add("/p/a.py", TEXT.replace("CALLS", calls).replace("READ", read))
    uses = [use for use in project.usage("/p/a.py").uses if use.scope.endswith("f")]
    return {use.api.removeprefix("torch.nn."): "mixed" in use.signs for use in uses if ".nn." in use.api}


@pytest.mark.parametrize(
    ("calls", "read", "expected"),
    [
        ("f(self.table)", "layer.weight", {"Embedding.weight": False}),
        ("f(self.norm) + f(layer=self.norm)", "layer.weight", {"LayerNorm.weight": False}),
        ("f(self.table) if x else self.table(x)", "layer.weight * 2", {"Embedding.weight": False}),
        ("f(self.norm)", "layer.bias", {"LayerNorm.bias": False}),
        ("f(self.norm)", "layer.eps", {"LayerNorm.eps": False}),
        ("f(nn.Embedding(2, 3))", "layer.weight", {"Embedding.weight": False}),
        ("f(nn.Embedding(2, 3))", "layer.max_norm", {"Embedding.max_norm": False}),
        ("f(nn.Conv2d(2, 3, 4))", "layer.groups", {"Conv2d.groups": False}),
        ("f(self.table) + f(self.dense)", "layer.weight", {"Embedding.weight": True}),
        ("f(self.table) + f(self.norm)", "layer.weight", {"LayerNorm.weight": True}),
        ("f(self.table) + f(self.own)", "layer.weight", {"Embedding.weight": True}),
        ("f(self)", "(layer.table if flag else layer.dense).weight", {"Embedding.weight": True}),
    ],
)
def test_callers_tell_the_layer(calls: str, read: str, expected: dict[str, bool]) -> None:
    assert found(calls, read) == expected


@pytest.mark.parametrize(
    ("calls", "read"),
    [
        ("x", "layer.weight"),  # nobody hands it anything
        ("f(x)", "layer.weight"),
        ("f(self.own)", "layer.weight"),
        ("f(self.plain)", "layer.weight"),
        ("f(self.table)", "layer.name"),
        ("f(1)", "layer.bias"),
        ("f(self.plain)", "layer.stride"),
        ("g(self.table)", "layer.weight"),
        ("f(x) + f(x) + f(self.table)", "layer.weight"),  # what it mostly gets is not known
    ],
)
def test_nothing_is_found(calls: str, read: str) -> None:
    assert found(calls, read) == {}


def test_a_class_without_the_member_is_no_layer() -> None:
    assert found("f(self.table) + f(self.plain)") == {"Embedding.weight": False}
