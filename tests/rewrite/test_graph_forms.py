"""What graph mode refuses in the functions of a network is written otherwise; everything else stays as it is.

That graph mode refuses the one and takes the other is measured in tests/oracle/test_graph_forms.py."""

from __future__ import annotations

import textwrap

import pytest

from mindport.rewrite.graph_forms.forms import with_graph_forms

_NETWORK = "import mindspore\n\n\nclass Net(mindspore.nn.Cell):\n    def construct(self, x, y, h):\n"


def in_network(body: str) -> str:
    """A network whose forward has these statements."""
    return _NETWORK + textwrap.indent(body, " " * 8)


MAPPED = [
    ("q, k = map(lambda t: split(t, h=h), (x, y))\n", "q, k = (split(t, h=h) for t in (x, y))\n"),
    ("q, k = map(lambda t: t * self.scale, (x, y))\n", "q, k = (t * self.scale for t in (x, y))\n"),
    ("z = tuple(map(lambda t: t * h, x))\n", "z = tuple(t * h for t in x)\n"),
    ("z = [1, *map(lambda t: t * h, x)]\n", "z = [1, *(t * h for t in x)]\n"),
    ("z = list(map(lambda t, u: t * u * h, x, y))\n", "z = list(t * u * h for t, u in zip(x, y))\n"),
    ("z = sum(map(lambda t: (t * h), (x)), y)\n", "z = sum(((t * h) for t in (x)), y)\n"),
    ("q, k = map(lambda t: split(t, 2), (x, y))\n", "q, k = (split(t, 2) for t in (x, y))\n"),
    ("q, k = map(lambda t: ops.cat([t, t]), (x, y))\n", "q, k = (ops.cat([t, t]) for t in (x, y))\n"),
    ("z = all(map(lambda t: (t, h), x,))\n", "z = all((t, h) for t in x)\n"),
    ("k = map(é, x), map(lambda t: t.é(h), x)\n", "k = map(é, x), (t.é(h) for t in x)\n"),
    (
        "q, k = map(\n    lambda t: split(\n        t, h), (x, y)\n)\n",
        "q, k = (split(\n        t, h) for t in (x, y))\n",
    ),
    ("def f(t):\n    return t * h\nz, = map(f, (x,))\n", "def f(t):\n    return t * h\nz, = (f(t) for t in (x,))\n"),
    ("f = lambda t: t * h\nq, k = map(f, (x, y))\n", "f = lambda t: t * h\nq, k = (f(t) for t in (x, y))\n"),
]  # fmt: skip

NOT_MAPPED = [
    "q, k = map(lambda t: t * 2, (x, y))\n",  # nothing around it is read
    "q, k = map(lambda t: t.chunk(2)[0], (x, y))\n",
    "q, k = map(normalize, (x, y))\n",
    "q, k = map(self.split, (x, y))\n",
    "z = list(map(lambda t: lambda u: t * u * h, x))\n",  # each keeps a variable of its own
    "z = list(map(lambda t: (u * h for u in t), x))\n",
    "z = list(map(lambda t, s=h: t * s, x))\n",
    "z = list(map(lambda *t: t[0] * h, x))\n",
    "z = list(map(lambda t: t * h, *x))\n",
    "z = list(map(lambda t: t * h, x if h else y))\n",
    "z = list(map(lambda t: (u := t * h), x))\n",
    "map = self.map\nz = map(lambda t: t * h, x)\n",
    "z = self.map(lambda t: t * h, x)\n",
    "q, k = map(\n    lambda t: t * h,  # heads\n    (x, y),\n)\n",
]

DELETED = [
    ("z = x\ndel x\nreturn z\n", "z = x\nx = None\nreturn z\n"),
    ("del x, y  # no longer\n", "x = y = None  # no longer\n"),
    ("if h:\n    del (x)\n", "if h:\n    x = None\n"),
]

NOT_DELETED = ["del x[0]\n", "del self.kept\n", "del x, y[0]\n", "global x\ndel x\n"]

LATE = [
    ("for b in self.blocks:\n    z = b(x)\nreturn z\n", "z = None\nfor b in self.blocks:\n    z = b(x)\nreturn z\n"),
    (
        "for b in self.blocks:\n    if b.last:\n        x = x + z\n    z = b(x)\nreturn x\n",
        "z = None\nfor b in self.blocks:\n    if b.last:\n        x = x + z\n    z = b(x)\nreturn x\n",
    ),
    ("for i, b in enumerate(x):\n    pass\nreturn i\n", "i = None\nfor i, b in enumerate(x):\n    pass\nreturn i\n"),
    ("while h:\n    z = w = x\n    h -= z\nf(z, w)\n", "z = w = None\nwhile h:\n    z = w = x\n    h -= z\nf(z, w)\n"),
    (
        "if x.ndim == 2:\n    z = x\nelif x.ndim == 3:\n    z = y\nreturn z\n",
        "z = None\nif x.ndim == 2:\n    z = x\nelif x.ndim == 3:\n    z = y\nreturn z\n",
    ),
    (
        "if h is not None:\n    z = x\nx = x + 1\nif h is not None:\n    x += z\nreturn x\n",
        "z = None\nif h is not None:\n    z = x\nx = x + 1\nif h is not None:\n    x += z\nreturn x\n",
    ),
    ("if h:\n    z = x\nz += 1\n", "z = None\nif h:\n    z = x\nz += 1\n"),
    (
        "w = 1\nif h:\n    for b in x:\n        z = b\n    w = z\nreturn w\n",
        "w = 1\nz = None\nif h:\n    for b in x:\n        z = b\n    w = z\nreturn w\n",
    ),
]  # fmt: skip

NOT_LATE = [
    "z = x\nfor b in self.blocks:\n    z = b(z)\nreturn z\n",
    "for b in self.blocks:\n    z = b(x)\n    x = x + z\nreturn x\n",
    "if h:\n    z = x\nelse:\n    z = y\nreturn z\n",
    "if h:\n    z = x\nelse:\n    raise ValueError(h)\nreturn z\n",
    "if h:\n    return x\nelse:\n    z = y\nreturn z\n",
    "for b in x:\n    if b:\n        continue\n    z = b\n    x = z\nreturn x\n",
    "if self.h == 2:\n    z = x\nreturn z\n",  # decided before the paths are looked at
    "if not self.training:\n    z = x\nif not self.training:\n    return z\nreturn x\n",
    "if h:\n    x = y\nreturn x\n",  # parameters are always there
    "if h:\n    z = x\nz = y\nreturn z\n",
    "if h:\n    z = [z for z in x]\nreturn [z for z in x]\n",
    "if h:\n    z = x\ndef f():\n    return z\nreturn x\n",
    "return z\n",
    "with x:\n    z = y\nreturn z\n",
    "try:\n    z = x\nexcept ValueError:\n    pass\nreturn z\n",
]

DEVICES = [
    ("b, n, device = *x.shape[:2], x.device\nreturn b\n", "b, n = x.shape[:2]\nreturn b\n"),
    ("b, device = x.shape[0], x.device\nreturn b\n", "b = x.shape[0]\nreturn b\n"),
    ("_, n, device, t = *x.shape, x.device, x.dtype\nreturn n\n", "_, n, t = *x.shape, x.dtype\nreturn n\n"),
    ("device, *_, n = x.device, *x.shape\nreturn n\n", "*_, n = x.shape\nreturn n\n"),
    ("*_, n, device = *x.shape, x.device\nreturn n\n", "*_, n = x.shape\nreturn n\n"),
    ("(n, device) = (\n    x.shape[0], x.device)\nreturn n\n", "n = x.shape[0]\nreturn n\n"),
    ("n, device = len(x), x.device\nreturn f(device)\n", "device = x.device\nn = len(x)\nreturn f(device)\n"),
    ("x, d = f(x), x.device\nreturn f(x, d)\n", "d = x.device\nx = f(x)\nreturn f(x, d)\n"),
]

NO_DEVICES = [
    "device = x.device\nreturn x\n",
    "n, self.device = len(x), x.device\nreturn n\n",
    "n, *device = len(x), x.device, 1\nreturn n\n",
    "*rest, device = *x.shape, x.device\nreturn rest\n",  # the rest is a list
    "n, device = *x.shape, x.device\nreturn n\n",
    "n, device = f(device), x.device\nreturn n\n",
    "c, device = x.device, y.device\nreturn c, device\n",
    "n, d = x.shape[0], x.devices\nreturn n\n",
    "n, d = (  # of\n    x.shape[0], x.device)\nreturn n\n",
    "n = 1; m, device = 2, x.device\nreturn n\n",
    "*a, device, b = *x.shape, x.device, *y.shape\nreturn a\n",
]

REVERSED = [
    ("for b in reversed(self.blocks):\n    x = b(x)\n", "for b in list(self.blocks)[::-1]:\n    x = b(x)\n"),
    ("z = [b(x) for b in reversed(self.blocks)]\n", "z = [b(x) for b in list(self.blocks)[::-1]]\n"),
    ("z = [b(t) for b, t in zip(h, reversed(x))]\n", "z = [b(t) for b, t in zip(h, list(x)[::-1])]\n"),
    ("z = list(enumerate(reversed(x[1:]), 1))\n", "z = list(enumerate(list(x[1:])[::-1], 1))\n"),
    ("for i in reversed(range(len(self.blocks))):\n    h(i)\n", "for i in range(len(self.blocks))[::-1]:\n    h(i)\n"),
    ("z = tuple(reversed(x))\n", "z = tuple(x)[::-1]\n"),
    ("z = list(reversed(list(reversed(x))))\n", "z = list(list(x)[::-1])[::-1]\n"),
    ("for t in reversed((x, y)):  # backwards\n    h(t)\n", "for t in (x, y)[::-1]:  # backwards\n    h(t)\n"),
    ("z = list(map(lambda t: t * h, reversed(x)))\n", "z = list(t * h for t in list(x)[::-1])\n"),
]  # fmt: skip

NOT_REVERSED = [
    "for i in reversed(range(3)):\n    h(i)\n",
    "return reversed(x)\n",
    "z = next(reversed(x))\n",
    "z = list(reversed(*x))\n",
    "for t in self.reversed(x):\n    h(t)\n",
    "for t in reversed(  # backwards\n    x\n):\n    h(t)\n",
    "for i, t in enumerate(reversed(x)):\n    x[i] = t\n",  # a copy would not see that
    "for t in reversed(x):\n    x.pop()\n",
    "reversed = self.reversed\nfor t in reversed(x):\n    h(t)\n",
]


@pytest.mark.parametrize(("before", "after"), [*MAPPED, *DELETED, *LATE, *DEVICES, *REVERSED])
def test_what_graph_mode_refuses_is_written_otherwise(before, after):
    assert with_graph_forms(in_network(before)) == in_network(after)
    assert with_graph_forms(in_network(after)) == in_network(after)


@pytest.mark.parametrize("body", [*NOT_MAPPED, *NOT_DELETED, *NOT_LATE, *NO_DEVICES, *NOT_REVERSED])
def test_everything_else_stays(body):
    assert with_graph_forms(in_network(body)) == in_network(body)


@pytest.mark.parametrize("newline", ["\r\n", "\n"])
def test_line_ends_stay(newline):
    before, after = (in_network(one).replace("\n", newline) for one in LATE[0])
    assert with_graph_forms(before) == after


@pytest.mark.parametrize(
    ("text", "is_compiled"),
    [
        ("import mindspore\ndef f(x):\n    del x\n", False),
        ("import mindspore\nclass N(mindspore.nn.Cell):\n    def __init__(self, x):\n        del x\n", False),
        ("import mindspore\nclass N(mindspore.nn.Cell):\n    def features(self, x):\n        del x\n", True),
        ("import mindspore\nclass N(Base):\n    def construct(self, x):\n        del x\n", True),
        ("import mindspore\nclass D:\n    def __getitem__(self, x):\n        del x\n", False),
        ("import mindspore\nclass D:\n    def item(self, x):\n        del x\n", False),
        (in_network("return f(x)\n") + "\ndef f(x):\n    g(x)\n\ndef g(x):\n    del x\n", True),
        (in_network("return f(x)\n") + "\ndef f(x):\n    return x\n\ndef g(x):\n    del x\n", False),
        (in_network("del x\n").replace("mindspore", "framework"), False),
        (in_network("del x\n") + "else\n", False),
    ],
)
def test_only_what_networks_run_changes(text, is_compiled):
    after = text.replace("del x", "x = None") if is_compiled else text
    assert with_graph_forms(text) == after


def test_functions_for_other_files_lose_only_what_has_a_plain_other_form():
    text = "import mindspore\ndef f(x, y, h):\n    x, y = map(lambda t: t * h, (x, y))\n    del h\n    return x\n"
    after = text.replace("map(lambda t: t * h, (x, y))", "(t * h for t in (x, y))")
    assert with_graph_forms(text) == after
