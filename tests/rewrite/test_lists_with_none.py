"""Lists of layers that may hold None become lists that take it; all others stay."""

from __future__ import annotations

import textwrap

import pytest

from mindport.rewrite.lists_with_none import LIST_WITH_NONE, with_lists_of_none

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
    ],
)
def test_lists_that_may_hold_none(body):
    before = HEADER + in_init(body.replace("L(", "nn.CellList("))
    once = with_lists_of_none(before)
    assert once.startswith(f"{HEADER}\n\nclass {LIST_WITH_NONE}(mindspore.nn.CellList):\n")
    assert once.endswith(in_init(body.replace("L(", f"{LIST_WITH_NONE}(")))
    assert with_lists_of_none(once) == once
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
        "self.a = other.CellList([None])\n",
        "self.a = nn.CellList([None]\n",
    ],
)
def test_everything_else_stays(body):
    assert with_lists_of_none(HEADER + in_init(body)) == HEADER + in_init(body)


def test_line_ends_and_what_is_there_stay():
    text = (HEADER + in_init("self.a = nn.CellList([None])\n")).replace("\n", "\r\n")
    once = with_lists_of_none(text)
    assert once.count("\n") == once.count("\r\n")
    assert with_lists_of_none(once) == once
