"""Fixes leave alone what handles no tensor, whatever its members are called."""

from __future__ import annotations

import pytest
from converting import converted
from no_tensors import USES_TORCH, functions_without_tensors

_AT_ONCE = 20


def changed(functions: list[str]) -> list[str]:
    """The functions that unsafe fixes change, each looked for in a file with some others."""
    found = []
    for start in range(0, len(functions), _AT_ONCE):
        own = functions[start : start + _AT_ONCE]
        fixed = converted("\n\n".join([USES_TORCH, *own]), unsafe=True)
        assert "mindspore" in fixed  # torch's own use is converted beside them
        found += [function for function in own if function not in fixed]
    return found


@pytest.mark.thorough
def test_names_like_a_tensors_make_no_tensor() -> None:
    assert changed(functions_without_tensors(1, 200)) == []


@pytest.mark.thorough
def test_no_such_names_make_a_tensor() -> None:
    assert changed(functions_without_tensors(2, 2400)) == []


@pytest.mark.parametrize(
    "function",
    [
        "def f(x: torch.Tensor):\n    return x.add_(1).numel()\n",
        "def f(x):\n    y = torch.relu(x)\n    return y.unsqueeze(0).size(1)\n",
        "class Net(torch.nn.Module):\n    def forward(self, x):\n        return x.size(1)\n",
        "def f(x):\n    return x.size(0)\n\nf(torch.ones(2))\n",
        "def f(memory):\n    states = memory.sample()\n    return states.new_zeros(memory.n, 3)\n",
        "def f(x, mask):\n    x.masked_fill_(mask, 0)\n    return x\n",
    ],
)
def test_tensors_among_them_are_converted(function: str) -> None:
    assert changed([function]) == [function]
