"""Which writes are to ranges of several axes, of which one may be empty."""

from __future__ import annotations

import textwrap

import pytest

from mindport.usage.empty_ranges import RANGES
from mindport.usage.project import Project

PATH = "/project/run.py"
HEAD = "import torch\n\n\ndef run(x: torch.Tensor, y: torch.Tensor, a, b, c, d):\n"
MAY_BE_EMPTY = [
    "h, w = slice(0, a), slice(-a, -b)\nx[:, h, w, :] = 1  # 窗 🙂",
    "for h in (slice(0, -a), slice(-a, None)):\n    for w in (slice(0, -b), slice(-b, None)):\n        x[h, w] = a",
    "h = slice(a, b)\nx[h, 1:] = 0",
    "h = slice(a, b) if c else slice(None)\nx[h, 1:] += 1",
    "x[:, :, a:b, c:d] = y[:, :, a:b, c:d]",
    "x[a:b, :2] = y",
    "x[..., -a:-b, 1:] = y",
    "x[a:a + c, b:d] = y",
]
OTHERS = [
    "x[a:b] = y",
    "x[:, a:b] = y",  # one axis alone is written as in torch
    "x[:, a:b, c] = y",
    "x[a, b] = y",
    "h = slice(a, b)\nx[h] = y",
    "h = slice(a, b)\nz = x[h, 1:]",  # read, too
    "x[1:3, :2] = y",
    "x[:a, :b] = y",
    "x[a:, b:] = y",
    "x[a:a + 2, b:2 + b] = y",
    "x[..., a:-a, b:-b] = y",
    "x[a:-1, 1:b] = y",
    "x[y > 0] = 1",
    "rows = {}\nrows[a:b, c:d] = y",
]


def written(body: str) -> list[str]:
    project = Project("/project")
    project.add(PATH, HEAD + textwrap.indent(body, "    ") + "\n")
    return [
        use.api
        for use in project.usage(PATH).uses
        if use.call and any(argument.value == RANGES for argument in use.call.arguments)
    ]


@pytest.mark.parametrize("body", MAY_BE_EMPTY)
def test_write_to_a_range_that_may_be_empty(body: str) -> None:
    assert written(body) == ["torch.Tensor.__getitem__"]


@pytest.mark.parametrize("body", OTHERS)
def test_other_index(body: str) -> None:
    assert written(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "x[:, 0] = y",
        "x[:, 1:3] -= a  # 框 🙂",
        "x[..., 0] = 1",
        "x[:, 0, None] = 1",
        "x[torch.tensor([a, b])] = y",
    ],
)
def test_writes_where_tensors_may_have_no_elements(body: str) -> None:
    assert written(body) == []
    assert written(f"{body}\nif y.numel() == 0:\n    return x") == ["torch.Tensor.__getitem__"]


@pytest.mark.parametrize(
    "body", ["x[0] = y", "x[0, :] = y", "x[:] = y", "x[...] = 1", "x[y > 0] = 1", "z = x[:, 0]"]
)
def test_other_writes_where_tensors_may_have_no_elements(body: str) -> None:
    assert written(f"{body}\nif y.numel() == 0:\n    return x") == []
