"""Functions that give fractions take float32 where a function sees that numbers are whole."""

import pytest

from mindport.rewrite.fractions_of_whole_numbers import with_fractions_of_floats

BEFORE = "import torch\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y = ops.log(ops.arange(1, 5))  # 对数 🙂\n", "y = ops.log(ops.arange(1, 5).float())  # 对数 🙂\n"),
        ("y = ops.arange(n + 1).sin()\n", "y = ops.arange(n + 1).float().sin()\n"),
        ("y = ops.exp(mindspore.tensor([[1, 2]]))\n", "y = ops.exp(mindspore.tensor([[1, 2]]).float())\n"),
        ("y = mint.exp(x.long())\n", "y = mint.exp(x.long().float())\n"),
        ("y = ops.cos(x.astype(mindspore.int64))\n", "y = ops.cos(x.astype(mindspore.int64).float())\n"),
        ("y = ops.log(scores.argmax(axis=1) + 1)\n", "y = ops.log((scores.argmax(axis=1) + 1).float())\n"),
        (
            "def init(n):\n    a = ops.arange(1, n + 1)\n    b = a.view(1, n).tile((2, 1))\n    return ops.log(b)\n",
            "def init(n):\n    a = ops.arange(1, n + 1)\n    b = a.view(1, n).tile((2, 1))\n"
            "    return ops.log(b.float())\n",
        ),
        (
            "y = ops.log(mindspore.tensor(n, dtype=mindspore.int64) + ops.zeros(2, dtype=mindspore.int32))\n",
            "y = ops.log((mindspore.tensor(n, dtype=mindspore.int64) + ops.zeros(2, dtype=mindspore.int32)).float())\n",
        ),
        ("y = ops.exp(x > 0)\n", "y = ops.exp((x > 0).float())\n"),
        ("y = ops.exp(ops.eq(x, y) & x.isnan())\n", "y = ops.exp((ops.eq(x, y) & x.isnan()).float())\n"),
        ("n = (x != pad).sum(1)\ny = n.log()\n", "n = (x != pad).sum(1)\ny = n.float().log()\n"),
        ("y = ops.lgamma(x.to(mindspore.int64))\n", "y = ops.lgamma(x.to(mindspore.int64).float())\n"),
        (
            "f = lambda n: g(lambda: ops.sin(ops.arange(n)))\n",
            "f = lambda n: g(lambda: ops.sin(ops.arange(n).float()))\n",
        ),
        (
            "y = ops.exp(ops.expand_dims(ops.arange(3), 0))\n",
            "y = ops.exp(ops.expand_dims(ops.arange(3), 0).float())\n",
        ),
    ],
)
def test_whole_numbers_become_float32(text: str, expected: str) -> None:
    found = with_fractions_of_floats(BEFORE, text)
    assert found == expected
    assert with_fractions_of_floats(BEFORE, found) == found


@pytest.mark.parametrize(
    "text",
    [
        "y = ops.log(x)\n",
        "y = ops.log(mindspore.tensor([1, 2.0]))\n",
        "y = ops.log(mindspore.tensor([1], dtype=mindspore.float32))\n",
        "y = ops.exp(ops.arange(0, d, 2) * -0.5)\n",
        "y = ops.sin(ops.arange(4) / 2)\n",
        "y = ops.log(ops.arange(1, 5, dtype=mindspore.float32))\n",
        "y = ops.log(ops.arange(0.5, 4))\n",
        "y = ops.log(ops.arange(0, 4, step=0.5))\n",
        "y = ops.log(x.sum(1))\n",
        "y = ops.log(ops.zeros(3, dtype=x.dtype))\n",
        "y = ops.log(x.to(y))\n",
        "y = ops.log(x.astype(int64))\n",
        "y = ops.log(x < y < z)\n",
        "y = ops.log(np.isnan(x))\n",
        "y = (lambda a: ops.log(a))(ops.arange(3))\n",
        "y = np.log(np.arange(1, 5))\n",
        "y = ops.log(mindspore.from_numpy(np.arange(1.0, 5)))\n",
        "y = math.log(x.argmax())\n",
        "y = ops.abs(ops.arange(4))\n",
        "a = ops.arange(3)\ndef f(a):\n    return ops.log(a)\n",
        "a = ops.arange(3)\na = a / 2\ny = ops.log(a.float())\n",
        "def torch_log(x):\n    return ops.log(ops.arange(3))\n",  # a helper
        "y = ops.log(ops.arange(1, 5)\n",  # broken
    ],
)
def test_what_stays(text: str) -> None:
    assert with_fractions_of_floats(BEFORE, text) == text


def test_a_file_without_torch_stays() -> None:
    text = "y = ops.log(ops.arange(1, 5))\n"
    assert with_fractions_of_floats("import mindspore\n", text) == text
