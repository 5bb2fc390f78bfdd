"""Whole training programs: `mindport fix` with safe fixes alone gives MindSpore code that runs without torch and has
torch's losses over the first steps, from the same weights, data and noise."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from command import fix

pytestmark = pytest.mark.oracle

PROGRAMS = Path(__file__).parent / "programs"
LOSSES_OF = Path(__file__).parent / "losses_of.py"
DIFFERENCE = 1e-4


def normal(random, *shape, scale=1.0):
    return (random.standard_normal(shape) * scale).astype("float32")


def digits(random):
    return {"images": normal(random, 3, 5, 1, 12, 12), "labels": random.integers(0, 10, (3, 5))}


def dcgan(random):
    return {"images": normal(random, 4, 5, 3, 16, 16), "noise": normal(random, 4, 5, 8, 1, 1)}


def wgan_gp(random):
    alpha = random.random((4, 5, 1, 1, 1), dtype="float32")
    return {"images": normal(random, 4, 5, 1, 8, 8), "noise": normal(random, 4, 5, 6), "alpha": alpha}


def variants(random):
    return {"inputs": normal(random, 5, 6, 6), "labels": random.integers(0, 3, (5, 6))}


def run(framework, program, arrays, folder):
    """The losses of a program, computed in a process of its own."""
    command = [sys.executable, str(LOSSES_OF), framework, str(program), str(arrays)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return np.array(json.loads(done.stdout.splitlines()[-1]))


def shapes(program):
    """The shapes of the parameters of a program in torch, a path, in the order in which they are set."""
    code = (
        f"import sys, json; sys.path.insert(0, {str(program.parent)!r}); import {program.stem} as module\n"
        "print(json.dumps([list(p.shape) for network in module.networks() for p in network.parameters()]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    folder = tmp_path_factory.mktemp("port")
    for file in [*PROGRAMS.glob("train_*.py"), PROGRAMS / "dcgan.py"]:
        shutil.copy(file, folder)
    fix(folder)
    return folder


@pytest.mark.parametrize(
    ("program", "data"),
    [
        ("train_digits", digits),
        ("train_dcgan", dcgan),
        ("train_wgan_gp", wgan_gp),
        ("train_variants", variants),
        ("train_phases", variants),
        ("train_weights", variants),
        ("train_solver", variants),
        ("train_pairs", variants),
        ("train_sequences", variants),
    ],
)
def test_the_port_has_the_losses_of_torch(program, data, port, tmp_path):
    expected, found = losses(PROGRAMS / f"{program}.py", data, port, tmp_path)
    assert np.isfinite(expected).all() and len(set(expected)) > 4  # something was learnt
    assert np.abs(found - expected).max() < DIFFERENCE


def losses(program, data, port, tmp_path):
    """The losses of a program in torch, a path, and those of its port in the folder `port`, from the same weights."""
    random = np.random.default_rng(0)
    arrays = data(random)
    for number, shape in enumerate(shapes(program)):
        arrays[f"weights_{number}"] = normal(random, *shape, scale=0.15)
    file = tmp_path / "arrays.npz"
    np.savez(file, **arrays)
    expected = run("torch", program, file, tmp_path)
    return expected, run("mindspore", port / program.name, file, tmp_path)


@pytest.mark.parametrize(
    "program", sorted((PROGRAMS / "other_memory").glob("*.py")), ids=lambda file: file.stem
)
def test_weights_that_get_other_memory_between_two_steps(program, tmp_path):
    """Projects of their own: their steps are written differently, and no safe fix converts them."""
    (tmp_path / "port").mkdir()
    shutil.copy(program, tmp_path / "port")
    fix(tmp_path / "port", "--unsafe-fixes")
    expected, found = losses(program, variants, tmp_path / "port", tmp_path)
    assert np.isfinite(expected).all() and len(set(expected)) > 4
    assert np.abs(found - expected).max() < DIFFERENCE


def test_nothing_of_torch_is_left_and_fixing_again_changes_nothing(port):
    before = {file: file.read_bytes() for file in port.glob("*.py")}
    assert "Applied 0 fixes" in fix(port)
    for file, content in before.items():
        assert file.read_bytes() == content
        names = {node.id for node in ast.walk(ast.parse(content)) if isinstance(node, ast.Name)}
        attributes = {node.attr for node in ast.walk(ast.parse(content)) if isinstance(node, ast.Attribute)}
        assert "torch" not in names, file.name
        assert not attributes & {"backward", "zero_grad"}, file.name


def test_a_port_whose_gradients_are_lost_is_told_apart(port, tmp_path):
    """The check above is no formality: an optimizer that is not called changes the losses."""
    wrong = shutil.copytree(port, tmp_path / "wrong") / "train_digits.py"
    text = wrong.read_text()
    assert "optimizer(grads)" in text
    wrong.write_text(text.replace("optimizer(grads)", "pass"))
    expected, found = losses(PROGRAMS / "train_digits.py", digits, wrong.parent, tmp_path)
    assert np.abs(found - expected).max() > DIFFERENCE
