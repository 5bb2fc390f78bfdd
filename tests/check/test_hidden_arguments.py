"""A call with arguments that nobody sees, `f(x, **options)`, gets what the name gets where it is handed on."""

from __future__ import annotations

import pytest
from converting import converted

HEAD = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n\n\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("F.softmax(x, **more)", "torch_softmax(x, **more)"),
        ("F.leaky_relu(x, *args)", "torch_leaky_relu(x, *args)"),
        ("F.interpolate(x, **more)", "torch_interpolate(x, **more)"),
        ("F.dropout(x, **more)", "ops.dropout(x, **more)"),
        ("F.mse_loss(x, x, **more)", "ops.mse_loss(x, x, **more)"),
        ("F.cross_entropy(x, x, **more)", "ops.cross_entropy(x, x, **more)"),
        ("F.grid_sample(x, x, **more)", "ops.grid_sample(x, x, **more)"),
        ("nn.Conv2d(3, 4, **more)", "TorchConv2d(3, 4, **more)"),
        # What is seen decides where it can.
        ("F.mse_loss(x, x, reduce=False)", "ops.mse_loss(x, x, reduction='none')"),
        ("F.leaky_relu(x)", "ops.leaky_relu(x, alpha=0.01)"),
        ("F.softmax(x, 1)", "ops.softmax(x, 1)"),
    ],
)
def test_a_call_whose_arguments_are_not_seen(line: str, expected: str) -> None:
    text = converted(f"{HEAD}def f(x, *args, **more):\n    return {line}\n", unsafe=True)
    assert text.rstrip().rpartition("\n")[2] == f"    return {expected}"
