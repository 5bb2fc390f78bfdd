"""Tensors that are made with `requires_grad=True`, whose gradients nobody reads."""

from __future__ import annotations

import pytest
from converting import converted

TEXT = """import torch


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


@pytest.mark.parametrize("flag", ["requires_grad=False", "requires_grad=kept", "requires_grad=True"])
@pytest.mark.parametrize("unsafe", [False, True])
def test_the_flag_of_a_parameter_says_whether_it_is_trained(flag, unsafe):
    assert written(f"torch.nn.Parameter(x, {flag})", unsafe=unsafe) == f"mindspore.Parameter(x, {flag})"
