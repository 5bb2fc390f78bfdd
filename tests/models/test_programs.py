"""Whole programs: `mindport fix` with safe fixes alone gives MindSpore code that runs without torch, takes torch's
weights, and computes the same outputs, gradients and losses."""

import re
import shutil
import sys
from pathlib import Path

import pytest
from command import fix

from mindport.model.target import Device, Target, Version
from mindport.prove.programs import STAGES, ComparedProgram, compare_programs

pytestmark = pytest.mark.oracle

PROGRAMS = Path(__file__).parent / "programs"
CPU = Target(Version(2, 10, 0), Device.CPU)


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """A copy of the programs, converted."""
    folder = tmp_path_factory.mktemp("port")
    for file in PROGRAMS.glob("*.py"):
        shutil.copy(file, folder)
    fix(folder)
    return folder


@pytest.mark.parametrize(
    ("file", "entry", "inputs"),
    [
        ("small_gpt.py", "SmallGPT()", ["randint(0, 50, (2, 8))"]),
        ("unet.py", "UNet()", ["rand(1, 3, 18, 16)"]),
        ("unet.py", "UNet(bilinear=True)", ["rand(1, 3, 16, 16)"]),
        ("residual.py", "Residual([1, 2])", ["rand(2, 3, 16, 16)"]),
        ("dcgan.py", "Generator()", ["randn(2, 8, 1, 1)"]),
        ("dcgan.py", "Critic()", ["rand(2, 3, 16, 16)"]),
    ],
)
def test_the_port_computes_what_torch_does(file, entry, inputs, port):
    program = ComparedProgram(PROGRAMS / file, port / file, entry, tuple(inputs), steps=3)
    outcome = compare_programs(program, CPU, Path(sys.executable), 300)
    assert outcome.agrees, f"{outcome.reached}: {outcome.problem}\n{outcome.trace}"
    assert outcome.reached == STAGES


@pytest.mark.parametrize(
    "arguments",
    ["2.0, 0.25, 'mean', None", "1.0, 0.5, 'sum', None", "2.0, 0.25, 'mean', 0.3", "2.0, 0.25, 'none', None"],
)
@pytest.mark.parametrize("weight", ["rand(3)", "rand(3, 4)", "rand(12)"])
def test_the_focal_loss_computes_what_torch_does(arguments, weight, port):
    inputs = ("randn(3, 4)", "rand(3, 4)", weight)
    name = "focal_loss.py"
    outcome = compare_programs(
        ComparedProgram(PROGRAMS / name, port / name, f"SigmoidFocalLoss({arguments})", inputs),
        CPU,
        Path(sys.executable),
        300,
    )
    assert outcome.agrees and "forward" in outcome.reached, f"{outcome.problem}\n{outcome.trace}"


def test_nothing_is_left_and_fixing_again_changes_nothing(port):
    before = {file: file.read_bytes() for file in port.glob("*.py")}
    assert "Applied 0 fixes" in fix(port)
    for file, content in before.items():
        assert file.read_bytes() == content
        assert not re.search(rb"\b(from|import) torch\b", content), file.name


def test_a_port_that_computes_something_else_does_not_pass(port, tmp_path):
    wrong = (
        (port / "dcgan.py")
        .read_text()
        .replace("alpha=0.2", "alpha=0.3")
        .replace("LeakyReLU(0.2", "LeakyReLU(0.3")
    )
    (tmp_path / "dcgan.py").write_text(wrong)
    program = ComparedProgram(
        PROGRAMS / "dcgan.py", tmp_path / "dcgan.py", "Critic()", ("rand(2, 3, 16, 16)",)
    )
    outcome = compare_programs(program, CPU, Path(sys.executable), 300)
    assert not outcome.agrees and outcome.reached == ("import", "build", "weights")
    assert "differs by" in outcome.problem


def test_a_file_that_still_needs_torch_does_not_pass(tmp_path):
    program = ComparedProgram(
        PROGRAMS / "dcgan.py", PROGRAMS / "dcgan.py", "Critic()", ("rand(2, 3, 16, 16)",)
    )
    outcome = compare_programs(program, CPU, Path(sys.executable), 300)
    assert not outcome.agrees and outcome.reached == ()
    assert "No module named 'torch'" in outcome.problem
