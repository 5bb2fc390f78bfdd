"""Losses of two sizes in one backward pass, as `mindport fix` writes them, have the gradients of torch: the mean of
MindSpore's binary_cross_entropy_with_logits is divided by the size of the other call. What ran before may hide it, so
each loss has a process of its own."""

import subprocess
import sys

import numpy as np
import pytest

from loaded_frameworks import run_python

pytestmark = pytest.mark.oracle

LOSSES = {
    "mean_of_logits": "F.binary_cross_entropy_with_logits(x, t)",
    "weighted_logits": "F.binary_cross_entropy_with_logits(x, t, pos_weight=torch.tensor([2.0]))",
    "layer_of_logits": "nn.BCEWithLogitsLoss()(x, t)",
    "probabilities": "F.binary_cross_entropy(torch.sigmoid(x), t)",
    "squares": "F.mse_loss(x, t)",
    "distances": "nn.L1Loss()(x, t)",
    "smooth": "F.smooth_l1_loss(x, t)",
    "classes": "nn.CrossEntropyLoss()(x, t)",
    "divergence": "F.kl_div(F.log_softmax(x, 1), t, reduction='batchmean')",
    "deviation": "torch.std(x - t)",
}
PROGRAM = """import torch
import torch.nn as nn
import torch.nn.functional as F


def loss(x, t):
    return {loss}


def losses(x, t, y, u):
    return loss(x, t) + loss(y, u)
"""
GRADIENTS = """
import mindspore, numpy, sys
sys.path.insert(0, {folder!r})
import program
data = {{name: mindspore.Tensor(value) for name, value in numpy.load({arrays!r}).items()}}
x, y = mindspore.grad(lambda x, y: program.losses(x, data["t"], y, data["u"]), (0, 1))(data["x"], data["y"])
numpy.savez({found!r}, x=x.asnumpy(), y=y.asnumpy())
"""


def python(*command):
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize("loss", LOSSES)
def test_a_loss_of_two_sizes(loss, tmp_path):
    import torch

    random = np.random.default_rng(0)
    small, large = (3, 4), (5, 7)
    data = {name: random.random(small).astype("float32") for name in "xt"}
    data |= {name: random.random(large).astype("float32") for name in "yu"}
    np.savez(tmp_path / "arrays.npz", **data)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(loss=LOSSES[loss]))
    names = {}
    exec(program.read_text(), names)
    given = {name: torch.from_numpy(value).requires_grad_(name in "xy") for name, value in data.items()}
    names["losses"](*(given[name] for name in "xtyu")).backward()

    python(
        "-m", "mindport", "fix", "--device", "CPU", "--target-version", "2.10", "--allow-dirty", str(tmp_path)
    )
    places = {
        "folder": str(tmp_path),
        "arrays": str(tmp_path / "arrays.npz"),
        "found": str(tmp_path / "found.npz"),
    }
    done = run_python(["-c", GRADIENTS.format(**places)], tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    found = np.load(tmp_path / "found.npz")
    for name in "xy":
        np.testing.assert_allclose(found[name], given[name].grad.numpy(), atol=1e-6, rtol=1e-4)
