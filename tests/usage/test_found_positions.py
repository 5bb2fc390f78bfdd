"""Which parts of tensors are written by positions that `where` or `nonzero` found: there may be none."""

from __future__ import annotations

import pytest

from mindport.usage.counted_from_the_end import ALONE
from mindport.usage.empty_ranges import RANGES
from usage.called_members import places_of

HEAD = "import torch\nx = torch.zeros(4, 3)\nchosen = torch.ones(4, 3)\n"


def written(text: str) -> list[str]:
    """The tensors that are written to by such positions."""
    return places_of("__getitem__", text, RANGES)


@pytest.mark.parametrize(
    "lines",
    [
        "x[torch.where(chosen > 1)] = 0",
        "rows, columns = torch.where(chosen == 2)\nx[rows] += 1",
        "rows, columns = torch.where(chosen == 2)  # 专家 🙂\nx[rows, columns] = 1",
        "rows = (chosen > 1).nonzero(as_tuple=True)[0]\nx[rows, 0] = 1",
        "rows = torch.nonzero(chosen[:, 0], as_tuple=False).squeeze(1)\nx[rows] = 1",
        "rows = chosen.nonzero()[:, 0].long()\nx[rows] = 1",
        "for row in torch.nonzero(chosen[0]):\n    x[row] = 1",
        "class Experts(torch.nn.Module):\n    def forward(self, h):\n        out = torch.zeros_like(h)\n"
        "        rows, _ = torch.where(h > 0)\n        out[rows] += h[rows]\n        return out",
    ],
)
def test_written_by_positions_that_were_found(lines: str) -> None:
    assert len(written(f"{HEAD}{lines}\n")) == 1


@pytest.mark.parametrize(
    "lines",
    [
        "x[chosen > 1] = 0",
        "x[torch.arange(2)] = 0",
        "x[torch.where(chosen > 1, chosen, chosen * 2).long()] = 0",
        "rows = chosen.argmax(1)\nx[rows] = 0",
        "y = x[torch.where(chosen > 1)]",  # read
        "rows = chosen.nonzero().size(0)\nx[rows - 1] = 0",
        "x[0] = torch.where(chosen > 1)[0].sum()",
    ],
)
def test_written_otherwise(lines: str) -> None:
    assert written(f"{HEAD}{lines}\n") == []


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        ("def take():\n    x = torch.ones(3)\n    found = (x > 2).nonzero()[:, 0]\n    return x[found]", 1),
        (
            "def take():\n    x = torch.ones(3)\n    found = (x > 2).nonzero(as_tuple=True)\n    return x[found]",
            0,
        ),
        (
            "def take(x):\n    found = (x > 2).nonzero(as_tuple=True)  # 🙂\n    return x[found], x[found[0]]",
            1,
        ),
        ("def take():\n    x = torch.ones(3)\n    return x[torch.nonzero(x > 2, as_tuple=True)]", 0),
        ("kept, counts = chosen.unique(return_counts=True)\ny = counts[(kept > 1).nonzero().squeeze(1)]", 1),
    ],
)
def test_read_by_positions_alone(lines: str, count: int) -> None:
    assert len(places_of("__getitem__", f"{HEAD}{lines}\n", ALONE)) == count
