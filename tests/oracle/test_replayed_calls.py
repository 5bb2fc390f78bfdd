"""Calls of a program in torch, made again in its port: the innermost one that gives something else is named first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mindport.model.target import Device, Target, Version
from mindport.prove.replayed_calls import CALLS, Replayed, replay_calls

pytestmark = pytest.mark.oracle

LAYERS = """\
import torch
from torch import nn


def scaled(x, by=2.0, *, bias=None):
    return x * by if bias is None else x * by + bias


def drawn(x):
    return x + torch.rand(3)


class Block(nn.Module):
    def __init__(self, width, activation):
        super().__init__()
        self.norm = nn.BatchNorm1d(width)
        self.activation = activation
        self.register_buffer("shift", torch.zeros(width))

    def forward(self, x, kind="plain"):
        x = self.norm(x) + self.shift
        if kind is "doubled":
            x = scaled(x)
        return {"out": x, "pair": (x.sum(), 3)}


class Net(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.block = Block(options.width, None)

    def forward(self, x):
        return self.block(x, "doubled")["out"]


class Odd(nn.Module):
    def __init__(self, function):
        super().__init__()

    def forward(self, x):
        return x
"""
TRAIN = """\
import argparse

import torch
from layers import Net, Odd, drawn, scaled


def measured(net, rows):
    return net(torch.tensor(rows)).mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    net = Net(argparse.Namespace(width=3))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        net(torch.randn(4, 3)).pow(2).mean().backward()
        net.block.shift += 0.5
        optimizer.step()
    net.eval()
    scaled(torch.ones(2, dtype=torch.int64), 3, bias=torch.tensor(1))
    drawn(torch.zeros(3))
    measured(net, [[1.0, 2.0, 3.0]])
    Odd(print)(torch.ones(1))
"""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The original with its kept calls, and its port."""
    original = tmp_path_factory.mktemp("original")
    (original / "layers.py").write_text(LAYERS)
    (original / "train.py").write_text(TRAIN)
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    mindport = [sys.executable, "-m", "mindport"]
    command = ["trace", "--calls", "--steps", "9", "--interpreter", sys.executable, "--", "train.py"]
    done = subprocess.run(
        [*mindport, *command], cwd=original, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (original / ".mindport" / CALLS).is_file()
    port = tmp_path_factory.mktemp("ported") / "port"
    done = subprocess.run(
        [*mindport, "port", original, "-o", port, "--device", "CPU"], capture_output=True, text=True
    )
    assert done.returncode in (0, 1), done.stderr
    return original, port


def replayed(folders: tuple[Path, Path], tmp_path: Path, old: str = "", new: str = "") -> Replayed:
    """What comes of the port after a change of its layers."""
    original, port = folders
    changed = tmp_path / "port"
    changed.mkdir()
    for name in ("layers.py", "train.py", "torch_equivalents.py"):
        if (port / name).exists():
            text = (port / name).read_text()
            assert name != "layers.py" or old in text
            (changed / name).write_text(text.replace(old, new) if old and name == "layers.py" else text)
    target = Target(Version(2, 10, 0), Device.CPU)
    return replay_calls(original / ".mindport" / CALLS, changed, target, Path(sys.executable), 300)


def test_a_port_gives_the_same(folders: tuple[Path, Path], tmp_path: Path) -> None:
    found = replayed(folders, tmp_path)
    assert found.problem == ""
    assert found.first_to_part is None
    assert {(one.name, one.status) for one in found.calls} == {
        ("scaled", "same"),
        ("drawn", "random"),
        ("Block.forward", "same"),
        ("Net.forward", "same"),
        ("measured", "same"),
        ("Odd.forward", "unkept"),
    }
    assert [one.turn for one in found.calls if one.name == "Block.forward"] == [1, 2, 3]


@pytest.mark.parametrize(
    ("old", "new", "name", "status"),
    [
        ("return x * by if", "return x * by * 1.01 if", "scaled", "differs"),
        ("+ self.shift", "- self.shift", "Block.forward", "differs"),
        ("def construct(self, x, kind", "def construct(self, x, *, kind", "Block.forward", "fails"),
    ],
)
def test_the_innermost_call_that_parts_is_named(
    folders: tuple[Path, Path], tmp_path: Path, old: str, new: str, name: str, status: str
) -> None:
    first = replayed(folders, tmp_path, old, new).first_to_part
    assert first is not None
    assert (first.file, first.name, first.status) == ("layers.py", name, status)


def test_what_the_port_has_not_is_not_compared(folders: tuple[Path, Path], tmp_path: Path) -> None:
    found = replayed(folders, tmp_path, "def drawn(", "def drawn_otherwise(")
    assert [(one.status, one.what) for one in found.calls if one.name == "drawn"] == [
        ("absent", "the port has no such name")
    ]
