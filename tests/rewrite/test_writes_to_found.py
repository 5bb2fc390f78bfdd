"""A write by an index of places that were searched for asks first whether there are any."""

import pytest

from mindport.rewrite.writes_to_found import with_writes_to_what_is_found

SEARCH = "rows = ops.nonzero(mask == 0).unbind(1)[0]\n"
WRITTEN = {
    "a number": (SEARCH + "x[rows] = 0", SEARCH + "if rows.size:\n    x[rows] = 0"),
    "a sum": (SEARCH + "x.weight[rows] += y[rows]", SEARCH + "if rows.size:\n    x.weight[rows] += y[rows]"),
    "a method": (
        "rows = mask.nonzero().squeeze(1)\nx[rows] = ops.ones(3)",
        "rows = mask.nonzero().squeeze(1)\nif rows.size:\n    x[rows] = ops.ones(3)",
    ),
    "in a loop": (
        "def f(x):\n\tfor m in x:\n\t\ti = m.nonzero()[:, 0]\n\t\tx[i] = 1  # 数\n",
        "def f(x):\n\tfor m in x:\n\t\ti = m.nonzero()[:, 0]\n\t\tif i.size:\n\t\t\tx[i] = 1  # 数\n",
    ),
    "line ends": ("i = a.nonzero()\r\nx[i] = 1\r\n", "i = a.nonzero()\r\nif i.size:\r\n    x[i] = 1\r\n"),
}
KEPT = {
    "a read": SEARCH + "y = x[rows]",
    "another value, too": SEARCH + "if y:\n    rows = y\nx[rows] = 0",
    "an argument": "def f(rows):\n    rows.nonzero()\n    x[rows] = 0",
    "a mask": "mask = x > ops.nonzero(y).sum()\nx[mask] = 0",
    "an index of two": SEARCH + "x[rows, rows] = 0",
    "what may do more": SEARCH + "x[rows] = next(numbers)",
    "beside others": SEARCH + "if y: x[rows] = 0",
    "asked already": SEARCH + "if rows.size > 0:\n    x[rows] = 0",
    "counted already": SEARCH + "if len(rows):\n    x[rows] = 0",
    "several lines": SEARCH + "x[rows] = (\n    0)",
    "a broken text": "rows = mask.nonzero(\nx[rows] = 0",
}


@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=list(WRITTEN))
def test_it_asks_first(before, after):
    assert with_writes_to_what_is_found(before) == after
    assert with_writes_to_what_is_found(after) == after


@pytest.mark.parametrize("text", KEPT.values(), ids=list(KEPT))
def test_what_stays(text):
    assert with_writes_to_what_is_found(text) == text
