"""A program of two files whose helpers went into one module runs, and computes what torch does."""

import json

import pytest
from command import fix

from loaded_frameworks import run_python

pytestmark = pytest.mark.oracle

BLOCKS = """import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, channels, norm=nn.BatchNorm2d, act=nn.LeakyReLU):
        super().__init__()
        self.norm = norm(channels)
        self.act = act(0.3)

    def forward(self, x):
        return torch.cumprod(self.act(self.norm(x)), dim=2)
"""
NETWORK = """import torch
import torch.nn as nn
from .blocks import Block


class Network(nn.Module):
    def __init__(self, norm=nn.BatchNorm2d):
        super().__init__()
        self.first = norm(3)
        self.block = Block(3, norm)

    def forward(self, x):
        return torch.cumprod(self.block(self.first(x)), dim=1)
"""
MAIN = """import torch
from network.network import Network

if __name__ == "__main__":
    x = torch.arange(24.0).reshape(1, 3, 4, 2) / 10
    print(Network()(x).tolist())
"""


def run(folder):
    done = run_python(["main.py"], folder)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def flat(value):
    return [number for one in value for number in flat(one)] if isinstance(value, list) else [value]


def test_both_files_use_the_module(tmp_path):
    (tmp_path / "network").mkdir()
    for name, text in {"__init__": "", "blocks": BLOCKS, "network": NETWORK}.items():
        (tmp_path / "network" / f"{name}.py").write_text(text)
    (tmp_path / "main.py").write_text(MAIN)
    expected = flat(run(tmp_path))
    fix(tmp_path)
    for name in ("blocks", "network"):
        text = (tmp_path / "network" / f"{name}.py").read_text()
        assert "from .torch_equivalents import " in text
        assert "class Torch" not in text
    assert "torch" not in (tmp_path / "main.py").read_text()
    assert flat(run(tmp_path)) == pytest.approx(expected, rel=1e-5, abs=1e-6)
    assert len(set(expected)) > 12
