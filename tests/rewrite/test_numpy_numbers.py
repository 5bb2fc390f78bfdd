"""Numbers of NumPy in front of an operator become numbers of Python, and nothing else does."""

from __future__ import annotations

import pytest

from mindport.rewrite.numpy_numbers import with_python_numbers

HEADER = "import numpy as np\nimport math\n# 常数 🚀\n"
CLASS = (
    "class A:\n    def __init__(self):\n        self.k = {}\n    def f(self, x):\n        return self.k * x"
)
CHANGED = [
    ("y = np.sqrt(2.0 / np.pi) * x", "y = float(np.sqrt(2.0 / np.pi)) * x"),
    ("y = np.log(2) - x", "y = float(np.log(2)) - x"),
    ("y = 0.5 * (1 + np.tanh(np.sqrt(2)) * (x + 1))", "y = 0.5 * (1 + float(np.tanh(np.sqrt(2))) * (x + 1))"),
    ("y = np.sqrt(\n    2 * math.pi,\n) * x", "y = float(np.sqrt(\n    2 * math.pi,\n)) * x"),
    ("y = np.exp(-1) * x * np.exp(1)", "y = float(np.exp(-1)) * x * np.exp(1)"),
    ("y = 0.5 * np.log(2 * np.pi) + x", "y = float(0.5 * np.log(2 * np.pi)) + x"),
    ("y = -np.log(2) - x - z", "y = float(-np.log(2)) - x - z"),
    # Numbers that get a name.
    ("k = np.sqrt(2)\ny = k * x", "k = float(np.sqrt(2))\ny = k * x"),
    (
        "K = -0.5 * np.log(2 * np.pi)\ndef f(x):\n    return K + x",
        "K = float(-0.5 * np.log(2 * np.pi))\ndef f(x):\n    return K + x",
    ),
    (
        CLASS.format("np.sqrt(2)"),
        CLASS.format("float(np.sqrt(2))"),
    ),
    # Numbers computed of sizes.
    (
        "def f(z):\n    n = z.shape[-1]\n    k = -0.5 * n * np.log(2 * np.pi)\n    return k - z",
        "def f(z):\n    n = z.shape[-1]\n    k = float(-0.5 * n * np.log(2 * np.pi))\n    return k - z",
    ),
    (
        "def f(z):\n    _, n = z.shape\n    return np.sqrt(n) * z\ndef g(n):\n    return np.sqrt(n) * n",
        "def f(z):\n    _, n = z.shape\n    return float(np.sqrt(n)) * z\ndef g(n):\n    return np.sqrt(n) * n",
    ),
    ("y = np.log(len(x)) + x", "y = float(np.log(len(x))) + x"),
    ("y = np.sqrt(x.shape[0]) * x", "y = float(np.sqrt(x.shape[0])) * x"),
    ("def f(x, k=np.sqrt(2)):\n    return k * x", "def f(x, k=float(np.sqrt(2))):\n    return k * x"),
    ("def f(x, *, k=np.sqrt(2)):\n    return k * x", "def f(x, *, k=float(np.sqrt(2))):\n    return k * x"),
]
KEPT = [
    "y = x * np.sqrt(2)",  # the tensor's own operator
    "y = np.sqrt(n) * x",  # an array, perhaps
    "y = np.sqrt([1, 2]) * x",
    "y = np.sqrt(x.shape[:2]) * x",
    "y = np.sqrt(x.shape) * x",
    "def f(x, n):\n    n = x.shape[0] if n is None else n\n    return np.sqrt(n) * x",
    "def f(x):\n    n = x.shape[0]\n    n = x.sum()\n    return np.sqrt(n) * x",
    "def f(x):\n    n = len(x)\n    for n in x:\n        y = np.sqrt(n) * x",
    "def f(x, n):\n    n = len(x)\n    return np.sqrt(n) * x",
    "y = np.sqrt(2, dtype=t) * x",
    "y = np.prod(2) * x",  # an int
    "y = np.sqrt(2) * 3 + np.pi",  # numbers alone
    "y = np.sqrt(2) == x",
    "k = np.sqrt(2)\ny = x * k",
    "k = np.sqrt(2)\ny = k * 3",
    "k = np.sqrt(n)\ny = k * x",
    "k = np.pi\ny = k * x",  # a number of Python
    "def f(x, k=np.sqrt(2)):\n    return x * k",
    "y = mp.sqrt(2) * x",
    "y = math.sqrt(2) * x",
    "y = f'{np.sqrt(2) * x}'",
    "y = np.sqrt(2) * x +",  # does not parse
]


@pytest.mark.parametrize(("before", "after"), CHANGED)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_number_is_pythons(before: str, after: str, newline: str) -> None:
    text, wanted = ((HEADER + code).replace("\n", newline) for code in (before, after))
    assert with_python_numbers(text) == wanted
    assert with_python_numbers(wanted) == wanted


@pytest.mark.parametrize("code", KEPT)
def test_the_rest_stays(code: str) -> None:
    assert with_python_numbers(HEADER + code) == HEADER + code
