"""Which indices are one tensor of numbers that may count from the end, or of positions of which there may be none: no
gradient comes to what they read."""

from __future__ import annotations

import pytest

from mindport.usage.counted_from_the_end import ALONE
from usage.called_members import places_of

HEAD = "import torch\n\ndef take(x: torch.Tensor, rows: torch.Tensor, count: int):\n"


def read(lines: str) -> list[str]:
    """The indices of this kind in the body of a function."""
    body = "\n".join(f"    {line}" for line in lines.splitlines())
    return places_of("__getitem__", f"{HEAD}{body}\n", ALONE)


@pytest.mark.parametrize(
    "lines",
    [
        "return x[rows - 1]",
        "return x[(rows - count).long()]",
        "return x[-rows]",
        "before = rows - 1  # 前 🙂\nreturn x[before]",
        "before = (rows - 1).view(-1)\nbefore = before.long()\nreturn x[before.squeeze(0)]",
        "ends = torch.tensor([0, -1])\nreturn x[ends]",
        "found = torch.full((3,), -1)\nreturn x[found]",
        "found = torch.where(rows > 2, rows, -1)\nreturn x[found]",
        "found = rows.masked_fill(rows > 2, -1)\nreturn x[found]",
        "return x[torch.where(rows > 2)[0]]",
        "return x[(rows > 2).nonzero().squeeze(1)]",
        "return x[rows.nonzero()[:, 0]]",
    ],
)
def test_refused(lines: str) -> None:
    assert len(read(lines)) == 1


@pytest.mark.parametrize(
    "lines",
    [
        "return x[rows]",
        "return x[count - 1]",
        "return x[-count]",
        "return x[-1]",
        "return x[rows > 1]",
        "return x[(rows - 1) % 4]",
        "return x[rows - rows.min()]",
        "return x[rows - rows.min(0)[0]]",
        "return x[rows - 1 + count]",
        "return x[(rows - 1).clamp(min=0)]",
        "return x[rows - 1, 0]",
        "return x[:, rows - 1]",
        "x[rows - 1] = 0",
        "return x[torch.where(rows > 2)]",
        "found = torch.where(rows > 2, rows, 0)\nreturn x[found]",
        "return x[torch.tensor([0, 1])]",
        "return [1, 2, 3][count - 1]",
        "names = {-1: x}\nreturn names[count - 1]",
        "def other(rows):\n    before = rows - 1\n    return before\nbefore = rows\nreturn x[before]",
    ],
)
def test_taken(lines: str) -> None:
    assert read(lines) == []
