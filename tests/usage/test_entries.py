"""What can be called with tensors alone, by the line that somebody points at."""

from __future__ import annotations

import pytest

from mindport.source.module import parse_module
from mindport.usage.entries import entry_at

TEXT = """\
import mindspore as ms
from mindspore import nn


def loss(x, scale=2.0):
    return (x * scale).sum()


class Plain(nn.Cell):
    width = 4

    def construct(self, x):
        return x  # 张量 🚀


class Sized(nn.Cell):
    def __init__(self, width):
        super().__init__()

    def construct(self, x):
        return x


class Alone(nn.Cell):
    def __init__(self, width, *, depth):
        super().__init__()


sized = Sized(4)


def nothing():
    return 1


def many(a, b, c, d):
    return a


def rest(*inputs):
    return inputs[0]


async def later(x):
    return x
"""
LINES = TEXT.split("\n")


@pytest.mark.parametrize(
    ("marker", "entry"),
    [
        ("def loss", "loss"),
        ("x * scale", "loss"),
        ("class Plain", "Plain"),
        ("width = 4", "Plain"),
        ("张量", "Plain"),
        ("class Sized", "sized"),
        ("class Alone", ""),
        ("depth):", ""),
        ("def nothing", ""),
        ("def many", ""),
        ("def rest", "rest"),
        ("async def later", ""),
        ("sized = Sized", ""),
        ("import mindspore as ms", ""),
    ],
)
def test_entry_by_line(marker: str, entry: str) -> None:
    line = next(number for number, text in enumerate(LINES, 1) if marker in text)
    assert entry_at(parse_module(TEXT).units, line) == entry


def test_no_entry_before_the_first_statement() -> None:
    assert entry_at(parse_module("\n\nx = 1\n").units, 1) == ""
    assert entry_at(parse_module("").units, 1) == ""


def test_lines_follow_edits() -> None:
    module = parse_module(TEXT).update("\n\n\n" + TEXT)
    line = next(number for number, text in enumerate(LINES, 1) if "张量" in text)
    assert entry_at(module.units, line + 3) == "Plain"
