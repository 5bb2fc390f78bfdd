"""What `fix --mode graph` writes without asking: nearly what it writes for PyNative, and nothing a graph refuses."""

from __future__ import annotations

import pytest

from mindport.checking.fixing import fix_paths
from mindport.config.settings import Settings
from mindport.model.target import Device, Mode, Target, Version

GRAPH = Target(Version(2, 10, 0), Device.CPU, Mode.GRAPH)
PYNATIVE = Target(Version(2, 10, 0), Device.CPU)

NET = """\
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(10, n)
        self.bn = nn.BatchNorm1d(n)
        self.blocks = nn.Sequential(nn.Linear(n, n), nn.ReLU(inplace=True))

    def forward(self, x):
        y = F.relu(self.bn(self.fc(x)))
        y = torch.cat([y, y], dim=1)
        return self.blocks(y).transpose(1, 0).sum(dim=0, keepdim=True)
"""

FORWARD = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        {init}

    def forward(self, x):
        {line}
        return self.body(x)
"""


@pytest.fixture
def fixed(tmp_path):
    def fix(text, target):
        file = tmp_path / "net.py"
        file.write_text(text)
        [found] = fix_paths([str(file)], Settings(), target, str(tmp_path), allow_dirty=True)
        return found.after.text

    return fix


def test_a_model_file_is_converted_whole(fixed):
    text = fixed(NET, GRAPH)
    assert "torch" not in text and "def construct" in text and "swapaxes(1, 0)" in text
    assert text == fixed(NET, PYNATIVE)


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("x.add_(1)", "x.add_(1)"),  # the write is lost
        ("with torch.no_grad(): x = x * 2", "with torch.no_grad():"),  # refused
        ("y = x.max(1)[0]", "mint.max(x, 1, False)[0]"),  # the method gives the values alone
        ("y = x.argmax()", "ops.argmax(x)"),  # the method takes the last axis
        ("y = x.split(2, dim=1)[0]", "ops.split(x, 2, 1)[0]"),  # no kernel
    ],
)
def test_what_a_graph_does_otherwise(fixed, line, kept):
    assert kept in fixed(FORWARD.format(init="", line=line), GRAPH)
    assert kept not in fixed(FORWARD.format(init="", line=line), PYNATIVE)


def test_a_network_is_built_in_python(fixed):
    line = "z = torch.ones(2).add_(1)"
    assert "ops.ones((2,)).add(1)" in fixed(FORWARD.format(init=line, line=""), GRAPH)
    assert "ops.ones((2,)).add_(1)" in fixed(FORWARD.format(init="", line=line), GRAPH)
