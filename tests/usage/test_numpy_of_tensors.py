"""What NumPy's functions of single elements make of a tensor is a tensor, as torch has it; of anything else it is what
NumPy gives."""

from __future__ import annotations

import pytest

from usage.called_members import places_of

HEAD = "import math\nimport numpy as np\nimport torch\na = torch.ones(2)\narray = np.ones(2)\n"


def asked(text: str) -> list[str]:
    """The texts that NumPy asks a tensor for."""
    return places_of("__array__", text)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("b = np.sqrt(a)", ["np.sqrt(a)"]),
        ("b = '移🚀', np.exp(-a) * 2", ["np.exp(-a)"]),
        ("b = np.log(np.abs(a.sum()))", ["np.log(np.abs(a.sum()))", "np.abs(a.sum())"]),
        ("def f(x: torch.Tensor):\n    return np.tanh(x).view(1, -1)", ["np.tanh(x)"]),
        ("b = np.power(2.0, a)", ["np.power(2.0, a)"]),
        ("b = np.maximum(a, array).view(-1)", ["np.maximum(a, array)"]),
        ("b = np.multiply(array, np.arctan(a))", ["np.multiply(array, np.arctan(a))", "np.arctan(a)"]),
        ("from numpy import sqrt as root; b = root(1 - a)", ["root(1 - a)"]),
    ],
)
def test_of_a_tensor_it_is_a_tensor(line: str, expected: list[str]) -> None:
    assert sorted(asked(f"{HEAD}{line}\n")) == sorted(expected)


@pytest.mark.parametrize(
    "line",
    [
        "b = np.sqrt(array)",
        "b = np.sqrt(2.0)",
        "b = np.sqrt(a, out=array)",
        "b = np.power(2.0, array)",
        "b = np.power(2.0, a.numpy())",
        "b = np.maximum(a.size(0), a.size(1))",
        "b = np.maximum(a, 0, out=array)",
        "b = np.greater(a, 0)",  # of what is true torch makes numbers
        "b = np.clip(a, array)",
        "b = np.sqrt(a.numpy())",
        "b = np.sqrt(float(a[0]))",
        "b = np.sqrt(a.size(0))",
        "b = math.sqrt(a[0])",
        "b = np.asarray(a)",
        "b = np.where(a > 0)",
        "def f(x):\n    return np.sqrt(x)",
        "def f(x):\n    return np.sqrt(x.mean())",  # maybe an array
    ],
)
def test_of_anything_else_it_is_not(line: str) -> None:
    assert asked(f"{HEAD}{line}\n") == []
