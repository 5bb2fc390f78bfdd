"""Lists of layers that may hold None become lists that take it, tuples of layers become lists; all others stay."""

from __future__ import annotations

import textwrap

import pytest

from mindport.rewrite.lists_of_cells import LIST_WITH_NONE, with_lists_of_cells

HEADER = "import mindspore\nfrom mindspore import nn\n"


def in_init(body: str) -> str:
    """A network that is built by these statements."""
    return "class Net(nn.Cell):\n    def __init__(self, c, norm=None):\n" + textwrap.indent(body, " " * 8)


@pytest.mark.parametrize(
    "body",
    [
        "self.a = L([nn.ReLU(), None])\n",
        "self.a = L([nn.ReLU(), nn.ReLU() if c else None])\n",
        "self.a = L([None if c else nn.ReLU() if norm else None])\n",
        "self.a = L([nn.ReLU() if i else None for i in range(c)])\n",
        "self.a = L([None] * c)\n",
        "peg = nn.ReLU() if c else None\nself.a = nn.CellList([L([nn.ReLU(), peg])])\n",
        "peg = None\nif c:\n    peg = nn.ReLU()\nself.a = L([peg])\n",
        "self.a = L([])\nself.b = nn.CellList([])\nself.a.append(nn.ReLU() if c else None)\nself.b.append(nn.ReLU())\n",
        "a = []\na.append(None)\nself.a = L(a)\n",
        "a = []\nfor i in c:\n    b = None if i else nn.ReLU()\n    a.append(b)\nself.a = L(list(a))\n",
        "a = []\na.extend([None, nn.ReLU()])\nself.a = L([nn.Tanh(), *a])\n",
        "a = []\na += [None]\nself.a = L(a)\n",
        "a = [nn.ReLU()]\na.insert(0, None)\nself.a = L(a[::-1])\n",
        "a = [None] * c\na[0] = nn.ReLU()\nself.a = L(a)\n",
        "a = [None for _ in range(c)]\nb = a + [nn.ReLU()]\nself.a = L(b)\n",
        "self.a = L((None, nn.ReLU()))\n",
        "self.a = L()\nself.a.extend([None])\n",
        "self.a = L()\nself.a += [None]\n",
        "self.a = L([nn.ReLU()])\nself.a[0] = None\n",
        "b = []\nfor i in c:\n    a = []\n    a.append(None)\n    b.append(L(a))\nself.b = nn.CellList(b)\n",
    ],
)
def test_lists_that_may_hold_none(body):
    before = HEADER + in_init(body.replace("L(", "nn.CellList("))
    once = with_lists_of_cells(before)
    assert once.startswith(f"{HEADER}\n\nclass {LIST_WITH_NONE}(mindspore.nn.CellList):\n")
    assert once.endswith(in_init(body.replace("L(", f"{LIST_WITH_NONE}(")))
    assert with_lists_of_cells(once) == once
    compile(once, "converted", "exec")


@pytest.mark.parametrize(
    "body",
    [
        "self.a = nn.CellList([nn.ReLU()])\n",
        "self.a = nn.CellList([nn.ReLU() if c is None else nn.Tanh()])\n",
        "self.a = nn.CellList([nn.Dense(3, 4, None)])\n",
        "self.a = nn.CellList([norm])\n",  # nothing tells that it is None
        "self.a = nn.CellList([]) if c else None\n",
        "self.a = []\nself.a.append(None)\nself.b = nn.CellList([])\n",
        "self.a = list([None])\n",
        "a = [nn.ReLU()]\nb = [None]\nself.a = nn.CellList(a)\n",
        "a = [nn.ReLU() for _ in range(c)]\na = None\nself.a = nn.CellList(a)\n",
        "self.a = other.CellList([None])\n",
        "self.a = nn.CellList([None]\n",
    ],
)
def test_everything_else_stays(body):
    assert with_lists_of_cells(HEADER + in_init(body)) == HEADER + in_init(body)


def test_line_ends_and_what_is_there_stay():
    text = (HEADER + in_init("self.a = nn.CellList([None])\n")).replace("\n", "\r\n")
    once = with_lists_of_cells(text)
    assert once.count("\n") == once.count("\r\n")
    assert with_lists_of_cells(once) == once


@pytest.mark.parametrize(
    ("parameters", "body", "after"),
    [
        ("*fns", "self.a = nn.CellList(fns)", "self.a = nn.CellList(list(fns))"),
        ("c, *é, d=1", "x = é, mindspore.nn.CellList(é)", "x = é, mindspore.nn.CellList(list(é))"),
        ("*fns", "self.a = nn.CellList([*fns])", ""),
        ("fns", "self.a = nn.CellList(fns)", ""),
        ("*fns", "fns = [*fns]\n        self.a = nn.CellList(fns)", ""),
        ("*fns", "self.a = nn.SequentialCell(fns)", ""),
        ("**fns", "self.a = nn.CellList(fns)", ""),
    ],
)
def test_collected_layers_become_a_list(parameters, body, after):
    text = f"{HEADER}class Net(nn.Cell):\n    def __init__(self, {parameters}):\n        {{}}\n"
    once = with_lists_of_cells(text.format(body))
    assert once == text.format(after or body)
    assert with_lists_of_cells(once) == once


ASKED = """class Net(nn.Cell):
    def __init__(self, *parts):
        self.parts = nn.CellList(list(parts))
        self.others = nn.CellList(list(parts))

    def construct(self, *xs):
        {body}
"""


@pytest.mark.parametrize(
    "body",
    [
        "return sum(part(x) for x, part in zip(xs, self.parts) if part is not None)",
        "return [part for part in self.parts if part is None]",
        "for i, part in enumerate(self.parts):\n            if part is not None:\n                x = part(xs[i])",
        "for part in reversed(list(self.parts)[1:]):\n            y = None if part is None else part(xs[0])",
        "return xs if self.parts[0] is None else self.parts[0](xs[0])",
    ],
)
def test_lists_whose_elements_are_asked_for_none(body: str) -> None:
    before = HEADER + ASKED.format(body=body)
    once = with_lists_of_cells(before)
    assert f"self.parts = {LIST_WITH_NONE}(list(parts))" in once
    assert "self.others = nn.CellList(list(parts))" in once
    assert with_lists_of_cells(once) == once
    compile(once, "converted", "exec")


@pytest.mark.parametrize(
    "body",
    [
        "return sum(part(x) for x, part in zip(xs, self.parts) if x is not None)",
        "return self.parts is None",
        "return [part for part in self.parts if part == 3]",
        "return [part for part in xs if part is not None]",
        "return [x for x, part in xs if part is not None] + [part for part in self.parts.names if part is None]",
        "return None if xs[0] is None else self.parts[0](xs[0])",
    ],
)
def test_lists_whose_elements_are_not_asked_for_none(body: str) -> None:
    text = HEADER + ASKED.format(body=body)
    assert with_lists_of_cells(text) == text
