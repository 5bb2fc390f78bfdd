"""An index that is a range becomes a list, which MindSpore's tensors take."""

import pytest

from mindport.rewrite.ranges_as_indexes import with_lists_for_ranges

WRITTEN = {
    "alone": ("y = x[range(3)]", "y = x[list(range(3))]"),
    "beside others": ("y = x[range(len(t)), t, :]", "y = x[list(range(len(t))), t, :]"),
    "stored": (
        "x[range(n), [f(i) for i in range(n)]] = 1",
        "x[list(range(n)), [f(i) for i in range(n)]] = 1",
    ),
    "inside": ("y = x[z[range(2)]]", "y = x[z[list(range(2))]]"),
    "a variable": (
        "def f(n):\n    a, b = range(n), []\n    b = range(2)\n    x[a, t] = y[b]  # 行 🙂",
        "def f(n):\n    a, b = range(n), []\n    b = range(2)\n    x[list(a), t] = y[list(b)]  # 行 🙂",
    ),
    "lines": ("y = x[\n    range(\n        é)  # 数\n]", "y = x[\n    list(range(\n        é))  # 数\n]"),
}
KEPT = {
    "a list already": "y = x[list(range(3))]",
    "a loop": "for i in range(3):\n    y = x[i]",
    "inside of a call": "y = x[f(range(3))]",
    "another range": "y = x[mint.range(3), self.range(2)]",
    "an f-string": "f'{x[range(3)]}'",
    "a variable of numbers, too": "def f(n):\n    i = range(3)\n    for i in i:\n        x[i] = 1",
    "a variable of lists": "def f(n):\n    i = [*range(3)]\n    x[i] = 1",
    "an argument": "def f(i):\n    if not i:\n        i = range(3)\n    x[i] = 1",
    "a variable of another function": "def f(n):\n    i = range(3)\n\n\ndef g(i):\n    x[i] = 1",
    "a broken text": "x[range(3)",
}


@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=list(WRITTEN))
def test_a_list_is_written(before, after):
    assert with_lists_for_ranges(before) == after
    assert with_lists_for_ranges(after) == after


@pytest.mark.parametrize("text", KEPT.values(), ids=list(KEPT))
def test_what_stays(text):
    assert with_lists_for_ranges(text) == text
