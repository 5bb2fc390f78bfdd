"""Bounds of slices that NumPy computed become numbers of Python, wherever functions of the file show it."""

import pytest

from mindport.rewrite.numpy_bounds import with_python_bounds

BEFORE = "import torch\n"
HEAD = "import numpy as np\nfrom mindspore import ops\n\n"
BOX = "def box(n):\n    cx = np.random.randint(n)\n    left = np.clip(cx - n // 2, 0, n)\n    return left, cx + 1\n\n"


def converted(body: str) -> str:
    return with_python_bounds(BEFORE, f"{HEAD}{body}").removeprefix(HEAD)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "a, b = np.random.randint(0, 4, 2)  # 中文 😀\nx[:, '😀', a:a + 2, b:] = 0\n",
            "a, b = np.random.randint(0, 4, 2)  # 中文 😀\nx[:, '😀', int(a):int(a + 2), int(b):] = 0\n",
        ),
        (
            BOX + "def mix(x):\n    l, r = box(x.shape[2])\n    x[:, l:r] = x[::-1, l:r]\n",
            BOX
            + "def mix(x):\n    l, r = box(x.shape[2])\n    x[:, int(l):int(r)] = x[::-1, int(l):int(r)]\n",
        ),
        ("x[: np.random.randint(3)]\n", "x[: int(np.random.randint(3))]\n"),
        ("a = 2 * np.cumprod([2, 3])[-1]\nx[a:-a]\n", "a = 2 * np.cumprod([2, 3])[-1]\nx[int(a):int(-a)]\n"),
        (
            "class C:\n    def f(self, x):\n        return x[self.a:-self.b]\n"
            "    def g(self, n):\n        self.a, self.b = n, 1\n        self.a = n * np.prod(n)\n",
            "class C:\n    def f(self, x):\n        return x[int(self.a):-self.b]\n"
            "    def g(self, n):\n        self.a, self.b = n, 1\n        self.a = n * np.prod(n)\n",
        ),
        (
            "ends = np.cumsum(sizes)\ny = x[ends[0]:-ends[1]]\n",
            "ends = np.cumsum(sizes)\ny = x[int(ends[0]):int(-ends[1])]\n",
        ),
        (
            "def f(x, n):\n    starts = np.arange(n)\n    def cut(y, m):\n"
            "        return [y[s : s + m] for s in starts]\n    return cut(x, 2)\n",
            "def f(x, n):\n    starts = np.arange(n)\n    def cut(y, m):\n"
            "        return [y[int(s) : int(s + m)] for s in starts]\n    return cut(x, 2)\n",
        ),
        (
            "class C:\n    def g(self):\n        self.rng = np.random.RandomState(3)\n"
            "    def f(self, x):\n        a = self.rng.randint(3)\n        return (lambda: x[a:]), x[a:]\n",
            "class C:\n    def g(self):\n        self.rng = np.random.RandomState(3)\n"
            "    def f(self, x):\n        a = self.rng.randint(3)\n        return (lambda: x[int(a):]), x[int(a):]\n",
        ),
        ("n = np.int64(3)\nn += 1\nx[n:]\n", "n = np.int64(3)\nn += 1\nx[int(n):]\n"),
        ("m = 1\nm += np.max(y)\nx[m:]\n", "m = 1\nm += np.max(y)\nx[int(m):]\n"),
        (
            "h, w = np.random.randint(-2, 3, size=2)\ns = slice(max(0, h), h + n, None)\nx[s, min(w, 1):]\n",
            "h, w = np.random.randint(-2, 3, size=2)\n"
            "s = slice(int(max(0, h)), int(h + n), None)\nx[s, int(min(w, 1)):]\n",
        ),
        (
            "for i in np.arange(0, 9, 3):\n    y.append(x[i:i + 3])\n",
            "for i in np.arange(0, 9, 3):\n    y.append(x[int(i):int(i + 3)])\n",
        ),
        (
            "ends = np.cumsum(n)\nfor k, (a, b) in enumerate(zip(starts, ends)):\n    x[a:b], x[k:]\n",
            "ends = np.cumsum(n)\nfor k, (a, b) in enumerate(zip(starts, ends)):\n    x[a:int(b)], x[k:]\n",
        ),
        (
            "y = [x[: n] for n in reversed(np.unique(z))]\nx[: np.array(z).argmax()]\n",
            "y = [x[: int(n)] for n in reversed(np.unique(z))]\nx[: int(np.array(z).argmax())]\n",
        ),
    ],
)
def test_bounds(body: str, expected: str) -> None:
    found = converted(body)
    assert found == expected
    assert converted(found) == found


@pytest.mark.parametrize(
    "body",
    [
        "def f(x, n):\n    a = np.arange(n)\n    def cut(y, a):\n        return y[a:]\n    return cut(x, 2)\n",
        "def f(x, n):\n    a = np.arange(n)\n    def cut(y):\n        a = 3\n        return y[a:]\n    return cut(x)\n",
        "def f(x, n):\n    a = np.arange(n)\n    return a\ndef cut(y):\n    return y[a:]\n",
        "a = int(np.random.randint(4))\nx[a:]\n",
        "a = np.zeros(3)\nx[:len(a)]\nx[a.shape[0]:]\nx[:a.sum().item()]\n",
        "import random\na = random.randint(0, 3)\nx[a:]\n",
        "a = np.random.randint(4)\nx[a]\n",  # an element, or an array of places
        "def f():\n    a = np.random.randint(4)\n    return a\ndef g(a):\n    return x[a:]\n",
        "a = np.random.randint(4)\nprint(f'{x[a:]}')\n",
        "class C:\n    def f(self):\n        self.a = np.prod(2)\nclass D:\n    def f(self):\n        x[self.a:]\n",
        "a, b = np.random.randint(4), 3\nx[b:]\n",
        "for a in np.arange(3).tolist():\n    x[a:]\n",
        "for a, b in enumerate(np.arange(3)):\n    x[a:]\n",
        "a = np.random.randint(4)\nx[slice(n, None)]\nx[max(1, n):]\ny[a.item():]\n",
    ],
)
def test_what_stays(body: str) -> None:
    assert converted(body) == body


def test_other_texts_stay() -> None:
    text = "import numpy as np\na = np.random.randint(3)\nx[a:]\n"
    assert with_python_bounds("import mindspore\n", text) == text
    assert with_python_bounds(BEFORE, text + "def (\n") == text + "def (\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from .audio import *\n\na = np.prod(s)\nx[:a]\n", "x[:int(a)]"),
        ("from .audio import *\n\na = numpy.prod(s)\nx[:a]\n", "x[:int(a)]"),
        ("from .audio import *\nimport mindspore.mint as np\n\na = np.prod(s)\nx[:a]\n", "x[:a]"),
        ("from .audio import *\nfrom jax import numpy as np\n\na = np.prod(s)\nx[:a]\n", "x[:a]"),
        ("from .audio import *\n\nnp = 3\na = np.prod(s)\nx[:a]\n", "x[:a]"),
        ("from .audio import load\n\na = np.prod(s)\nx[:a]\n", "x[:a]"),
    ],
)
def test_numpy_comes_by_a_star(text: str, expected: str) -> None:
    assert with_python_bounds(BEFORE, text).splitlines()[-1] == expected
