"""`mindport verify` beside the stages: the first layer that parts, the time of a call, and the written test."""

import subprocess
import sys
from pathlib import Path

import pytest

from mindport.cli.main import main
from mindport.model.target import Device, Target, Version
from mindport.prove.programs import ComparedProgram, compare_programs

pytestmark = pytest.mark.oracle

CPU = Target(Version(2, 10, 0), Device.CPU)
INPUT = "randn(2, 3, 8, 8)"
ORIGINAL = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.norm = nn.BatchNorm2d(width)
        self.act = nn.LeakyReLU(0.2)

    def forward(self, x):
        return x + self.act(self.norm(self.conv(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(3), Block(3))
        self.shared = nn.Tanh()
        self.head = nn.Linear(3, 4)

    def forward(self, x):
        x = self.shared(self.blocks(x))
        x = self.shared(x * 2)
        return {"logits": self.head(x.mean((2, 3)))}
"""
PORT = """
import mindspore
from mindspore import nn


class Block(nn.Cell):
    def __init__(self, width, slope=0.2, momentum=0.9, eps=1e-5, factor=1):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, pad_mode="pad", padding=1, has_bias=True)
        self.norm = nn.BatchNorm2d(width, eps, momentum)
        self.act = nn.LeakyReLU(slope)
        self.factor = factor

    def construct(self, x):
        return x + self.factor * self.act(self.norm(self.conv(x)))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.blocks = nn.SequentialCell(Block(3), Block(3))
        self.shared = nn.Tanh()
        self.head = nn.Dense(3, 4)

    def construct(self, x):
        x = self.shared(self.blocks(x))
        x = self.shared(x * 2)
        return {"logits": self.head(x.mean((2, 3)))}
"""


@pytest.fixture
def files(tmp_path):
    """Writes the original and its port, with something replaced in the port."""

    def write(old="", new=""):
        assert old in PORT
        (tmp_path / "net.py").write_text(ORIGINAL)
        (tmp_path / "port").mkdir(exist_ok=True)
        (tmp_path / "port" / "net.py").write_text(PORT.replace(old, new, 1) if old else PORT)
        return tmp_path / "net.py", tmp_path / "port" / "net.py"

    return write


@pytest.mark.parametrize(
    ("old", "new", "name", "kinds", "what"),
    [
        (
            "Block(3), Block(3)",
            "Block(3), Block(3, slope=0.01)",
            "blocks.1.act",
            ("LeakyReLU",) * 2,
            "differs by",
        ),
        (
            "Block(3), Block(3)",
            "Block(3, eps=0.1), Block(3)",
            "blocks.0.norm",
            ("BatchNorm2d",) * 2,
            "differs by",
        ),
        ("Block(3), Block(3)", "Block(3), Block(3, factor=2)", "blocks.1", ("Block",) * 2, "differs by"),
        ("nn.Tanh()", "nn.Sigmoid()", "shared", ("Tanh", "Sigmoid"), "differs by"),
        ("x * 2", "x * 3", "shared", ("Tanh",) * 2, "differs by"),
        (
            '"pad", padding=1',
            '"valid"',
            "blocks.0.conv",
            ("Conv2d",) * 2,
            "gives (2, 3, 6, 6), torch's (2, 3, 8, 8)",
        ),
    ],
)
def test_the_first_layer_that_parts_is_named(files, old, new, name, kinds, what):
    outcome = compare_programs(
        ComparedProgram(*files(old, new), "Net()", (INPUT,)), CPU, Path(sys.executable), 300
    )
    assert not outcome.agrees and outcome.parting is not None
    assert (outcome.parting.name, outcome.parting.kinds) == (name, kinds) and what in outcome.parting.what
    assert outcome.parting.turn == (2 if new == "x * 3" else 1)
    assert outcome.parting.has_parts is (name == "blocks.1")


@pytest.mark.parametrize("new", ["self.head(x.mean((2, 3))) * 2", "self.head(x.mean((3,)))"])
def test_no_layer_is_blamed_for_what_none_does(files, new):
    port = files("self.head(x.mean((2, 3)))", new)
    outcome = compare_programs(ComparedProgram(*port, "Net()", (INPUT,)), CPU, Path(sys.executable), 300)
    assert not outcome.agrees and outcome.parting is None


def verify(files, *options):
    original, port = map(str, files)
    base = ["verify", original, port, "--entry", "Net()", "--input", INPUT, "--device", "CPU"]
    return main([*base, "--interpreter", sys.executable, *options])


def test_the_command_tells_layer_and_time(files, capsys):
    assert verify(files("Block(3), Block(3)", "Block(3), Block(3, slope=0.01)")) == 1
    out = capsys.readouterr().out
    assert "first to part: blocks.1.act (LeakyReLU) differs by" in out and out.rstrip().endswith(
        "that agree: 6"
    )
    assert verify(files()) == 0
    out = capsys.readouterr().out
    assert "one call takes" in out and "times as long (medians of 9 calls)" in out and "part:" not in out


def test_the_written_test_passes_and_fails_by_itself(files, tmp_path):
    port = files()
    assert verify(port, "--write-test", str(tmp_path / "test_net.py")) == 0
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_net.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "mindport" not in "".join(
        line for line in (tmp_path / "test_net.py").read_text().splitlines() if "import" in line
    )
    files("Block(3), Block(3)", "Block(3), Block(3, slope=0.01)")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "< MAX_ERROR" in done.stdout


def test_no_test_is_written_where_weights_have_no_place(files, tmp_path, capsys):
    port = files("self.head = nn.Dense(3, 4)", "self.head = nn.Dense(3, 4, has_bias=False)")
    assert verify(port, "--write-test", str(tmp_path / "test_net.py")) == 1
    assert "was not written" in capsys.readouterr().err and not (tmp_path / "test_net.py").exists()
    assert verify(port, "--write-test", str(tmp_path / "no" / "test_net.py")) == 2


def test_what_ends_the_original_behind_its_outputs_is_said(files, capsys):
    original, port = files()
    refuses = (
        "    def forward(self, x):\n        x.requires_grad_().register_hook(lambda gradient: gradient.no)\n"
    )
    head, tail = original.read_text().rsplit("    def forward(self, x):\n", 1)
    original.write_text(head + refuses + tail)
    assert verify((original, port)) == 0
    out = capsys.readouterr().out
    assert "no more is compared: the original: AttributeError: 'Tensor' object has no attribute 'no'" in out
    assert "the outputs agree" in out and "gradients" not in out
