"""Tensors that are made with `requires_grad=True`, whose gradients nobody reads."""

from __future__ import annotations

import pytest
from converting import converted

TEXT = """import torch
from torch import nn


def spread(x: torch.Tensor, index, kept=False):
    zeros = {made}
    return zeros.index_add(0, index, x){read}
"""


def written(made, read="", **options):
    text = converted(TEXT.format(made=made, read=read), **options)
    return text.partition("zeros = ")[2].partition("\n")[0]


@pytest.mark.parametrize(
    ("made", "after"),
    [
        ("torch.zeros_like(x, requires_grad=True)", "ops.zeros_like(x)"),
        ("torch.zeros(2, 3, requires_grad=True, device=x.device)", "ops.zeros((2, 3))"),
        ("torch.full((2,), 1.0, requires_grad=kept)", "ops.full((2,), 1.0, dtype=mindspore.float32)"),
        ("torch.tensor([1.0], requires_grad=True)", "mindspore.tensor([1.0])"),
        ("x.new_zeros(3, requires_grad=True)", "x.new_zeros((3,))"),
    ],
)
def test_the_flag_is_left_out_by_unsafe_fixes(made, after):
    assert written(made, unsafe=True) == after
    assert "requires_grad=" in written(made)


@pytest.mark.parametrize(
    "read",
    [
        "\n\n\ndef step(x):\n    return x.grad",
        "\n\n\nfrom torch.autograd import grad\n\ndef slope(y, x):\n    return grad(y, x)",
    ],
)
def test_the_flag_stays_where_gradients_are_read(read):
    assert "requires_grad=True" in written("torch.zeros_like(x, requires_grad=True)", read, unsafe=True)


def test_without_a_flag_the_fix_is_safe():
    assert written("torch.zeros_like(x, requires_grad=False)") == "ops.zeros_like(x)"


@pytest.mark.parametrize("is_recorded", [False, True])
@pytest.mark.parametrize(
    ("made", "after"),
    [
        ("nn.Parameter(x, requires_grad=False)", "mindspore.Parameter(x, requires_grad=False)"),
        (
            "torch.nn.parameter.Parameter(data=x, requires_grad=kept)",
            "mindspore.Parameter(default_input=x, requires_grad=kept)",
        ),
        ("nn.Parameter(torch.ones(2), False)", "mindspore.Parameter(ops.ones((2,)), requires_grad=False)"),
        (
            "nn.Parameter(torch.ones(2, requires_grad=True), requires_grad=kept)",
            "mindspore.Parameter(ops.ones((2,)), requires_grad=kept)",
        ),
    ],
)
def test_parameters_keep_the_flag(made, after, is_recorded):
    steps = "\n\n\ndef step(loss):\n    loss.backward()" if is_recorded else ""
    assert written(made, steps, unsafe=True) == after
