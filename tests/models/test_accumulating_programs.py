"""A loop that adds up the gradients of four batches trains as the plain loop does on batches four times as large, in
torch and after `mindport fix`."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from command import fix
from training_programs import FOLLOWED, normal, run, shapes

pytestmark = pytest.mark.oracle

PROGRAM = FOLLOWED / "fit_in_batches.py"
TOGETHER = 4
DIFFERENCE = 1e-5


@pytest.fixture(scope="module")
def arrays(tmp_path_factory):
    """The same samples in small batches and in large ones, both with the same weights."""
    random = np.random.default_rng(0)
    weights = {
        f"weights_{number}": normal(random, *shape, scale=0.3) for number, shape in enumerate(shapes(PROGRAM))
    }
    inputs, labels = normal(random, 12, 5, 6), random.integers(0, 3, (12, 5))
    folder = tmp_path_factory.mktemp("arrays")
    # What a network is asked in the end must be the same: the first five samples.
    large = {
        "inputs": inputs.reshape(-1, 5 * TOGETHER, 6),
        "labels": labels.reshape(-1, 5 * TOGETHER),
    }
    np.savez(folder / "small.npz", inputs=inputs, labels=labels, **weights)
    np.savez(folder / "large.npz", **large, **weights)
    return folder


@pytest.fixture(scope="module")
def accumulated(tmp_path_factory):
    """The program after `mindport accumulate`."""
    folder = tmp_path_factory.mktemp("accumulated")
    shutil.copy(PROGRAM, folder)
    command = [sys.executable, "-m", "mindport", "accumulate", PROGRAM.name, "--batches", str(TOGETHER)]
    subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=True)
    return folder / PROGRAM.name


def test_small_batches_train_as_large_ones(accumulated, arrays, tmp_path):
    expected = run("torch", PROGRAM, arrays / "large.npz", tmp_path)
    found = run("torch", accumulated, arrays / "small.npz", tmp_path)
    assert np.abs(found - expected).max() < DIFFERENCE
    plain = run("torch", PROGRAM, arrays / "small.npz", tmp_path)
    assert np.abs(plain - expected).max() > 100 * DIFFERENCE  # without accumulation they do not


def test_so_they_do_after_the_conversion(accumulated, arrays, tmp_path):
    port = tmp_path / "port"
    port.mkdir()
    shutil.copy(accumulated, port)
    fix(port)
    text = Path(port / PROGRAM.name).read_text()
    assert "import torch" not in text and ".backward(" not in text
    expected = run("torch", PROGRAM, arrays / "large.npz", tmp_path)
    found = run("mindspore", port / PROGRAM.name, arrays / "small.npz", tmp_path)
    assert np.abs(found - expected).max() < DIFFERENCE
