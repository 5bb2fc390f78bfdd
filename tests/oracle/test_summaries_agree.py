"""A summary of a network is torchsummary's: in torch, as mindport has it, and ported."""

import re

import pytest
from running_programs import ported, printed_by

pytestmark = pytest.mark.oracle

PROGRAM = """import torch
from torch import nn
from torchsummary import summary


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(3, width, 3), nn.BatchNorm2d(width), nn.ReLU())
        self.kept = nn.Conv2d(width, width, 1)
        self.kept.requires_grad_(False)
        self.kept.weight.requires_grad = False

    def forward(self, x):
        return self.kept(self.conv(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(400)])
        self.fc = nn.Linear(400 * 36, 4)
        self.rnn = nn.LSTM(4, 3, batch_first=True)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.fc(x.flatten(1))


net = Net()
summary(net, [(3, 8, 8)], device="cpu")
summary(Block(5), (3, 8, 8), batch_size=16, device="cpu")
summary(net.blocks[0], input_size=(3, 9, 7), device="cpu")
print("outputs", tuple(net(torch.ones(2, 3, 8, 8)).shape))
"""


def lines_of(printed):
    return [" ".join(line.split()) for line in printed.splitlines()]


def test_ported(tmp_path):
    (tmp_path / "program").mkdir()
    (tmp_path / "program/main.py").write_text(PROGRAM, "utf-8")
    expected = lines_of(printed_by(tmp_path / "program", "main.py"))
    assert sum("Total params" in line for line in expected) == 3
    ported(tmp_path / "program", tmp_path / "port")
    assert "import torch\n" not in (tmp_path / "port/torchsummary_parts.py").read_text("utf-8")
    found = lines_of(printed_by(tmp_path / "port", "main.py"))
    assert [re.sub(r"\bDense-", "Linear-", line) for line in found] == expected
