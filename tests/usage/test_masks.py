"""Which tensors hold truth values, so that `~` of them is the same in both frameworks."""

from __future__ import annotations

import textwrap

import pytest

from mindport.usage.masks_in_indices import BYTES
from mindport.usage.project import Project

PATH = "/project/masks.py"
HEAD = "import torch\n\n\ndef run(x: torch.Tensor, y: torch.Tensor, n: torch.Tensor):\n"
TRUTHS = [
    "~torch.isnan(x)",
    "~(x > 0)",
    "~x.isnan()  # 掩码 🙂",
    "~n.bool()",
    "~((x > 0) & (y > 0))",
    "~torch.triu(torch.ones(3, 3)).bool()",
    "~torch.all(x > 0, dim=1)",
    "~torch.tril(torch.ones((3, 3), dtype=torch.bool))",
    "~torch.zeros_like(x, dtype=bool)",
    "~x.to(torch.bool)[0]",
    "~torch.BoolTensor(3)",
    "mask = torch.full((3,), True, dtype=torch.bool)\nmask[0] = n > 0\n~mask",
    "mask = x > 0\n~mask",
    "mask = x > 0\nmask = mask & (y > 0)\n~mask[0].view(-1)",
    "mask = x > 0\nmask &= y > 0\n~mask",
    "~((x > 0) * (y > 0))",
    "~((other.valid >= 0.5) & (x > 0))",
    "~((x > 0) | (other.valid == 1))",
    "valid = other.valid\nvalid = (valid >= 0.5) & (x > 0)\n~valid",
    "mask = x > 0\nmask *= y > 0\n~mask",
    "~((x > 0) + y.isnan())",
    "mask = (x > 0) if n else x.eq(y)\n~mask",
    "mask = x > 0\ndef inner():\n    return ~mask",
]
OTHERS = [
    "~x",
    "~x.long()",
    "~torch.ones(3, dtype=torch.int64)",
    "~(x > 0).to(torch.int64)",
    "~(x & y)",
    "~(x > 0).long()",
    "~((x > 0) * 2)",
    "~(other.valid & (x > 0))",
    "~((other.valid + 1) | (x > 0))",
    "~((x > 0) * y)",
    "~((x > 0) - (y > 0))",
    "~x.masked_select(x > 0)",
    "~x.view_as(x > 0)",
    "~torch.cat((x > 0, y))",
    "~torch.sum(x > 0, dtype=torch.int64)",
    "mask = x > 0\nmask = mask.long()\n~mask",
    "mask = x > 0\nmask += 1\n~mask",
    "mask = (x > 0) if n else x\n~mask",
    "mask, other = x > 0, y\n~other",
]


def signs(body: str, api: str = "torch.Tensor.__invert__") -> list[frozenset[str]]:
    project = Project("/project")
    project.add(PATH, HEAD + textwrap.indent(body, "    ") + "\n")
    return [use.signs for use in project.usage(PATH).uses if use.api == api]


@pytest.mark.parametrize("body", TRUTHS)
def test_operand_of_truth_values(body: str) -> None:
    (found,) = signs(body)
    assert "mask" in found


@pytest.mark.parametrize("body", OTHERS)
def test_operand_that_may_be_of_numbers(body: str) -> None:
    (found,) = signs(body)
    assert "mask" not in found


@pytest.mark.parametrize(
    ("body", "is_mask"),
    [
        ("torch.repeat_interleave(x > 0, 2, dim=1)", True),
        ("mask = (x > 0).unsqueeze(1)\nmask.repeat_interleave(2, 1)", True),
        ("torch.repeat_interleave(x, 2, dim=1)", False),
        ("x.repeat_interleave(2)", False),
    ],
)
def test_a_call_that_takes_truth_values(body: str, is_mask: bool) -> None:
    found = signs(body, "torch.repeat_interleave") + signs(body, "torch.Tensor.repeat_interleave")
    assert ["mask" in one for one in found] == [is_mask]


OF_BYTES = [
    "x[y.byte()[0]]; m = y.byte(); x[1 - m]",
    "m = torch.zeros(3, dtype=torch.uint8)\nx[m]",
    "m = torch.zeros_like(y, dtype=torch.uint8)\nx[1 - m]",
    "m = y.to(torch.uint8)\nx[m]  # 掩码 🙂",
    "m = y.type(torch.uint8)\nx[m]",
    "m = torch.ones(3, dtype=torch.uint8).to('cuda')\nx[m]",
    "m = torch.ones(3, dtype=torch.uint8).to(torch.device('cuda'))\nx[m]",
    "m = torch.zeros(3, dtype=torch.uint8)\nm = torch.max(m, y > 0)\nx[1 - m]",
    "m = torch.zeros(3, dtype=torch.uint8)\nm = torch.maximum(m, y > 0)\nx[m]",
    "m = torch.zeros(3, dtype=torch.uint8) | (y > 0)\nx[m]",
]
OF_OTHERS = [
    "m = torch.zeros(3, dtype=torch.int64)\nx[m]",
    "m = torch.zeros(3, dtype=n)\nx[m]",
    "m = torch.zeros(3, dtype=torch.uint8).long()\nx[m]",
    "m = torch.zeros(3, dtype=torch.uint8).to(torch.int64)\nx[m]",
    "m = torch.zeros(3, dtype=torch.uint8).to(n)\nx[m]",
    "m = torch.max(torch.zeros(3, dtype=torch.uint8), n)\nx[m]",
    "m = torch.max(n, torch.zeros(3, dtype=torch.uint8))\nx[m]",
]


def takes_bytes(body: str) -> bool:
    """Whether an index is one of bytes, which torch takes for a mask."""
    project = Project("/project")
    project.add(PATH, HEAD + textwrap.indent(body, "    ") + "\n")
    indexes = (use for use in project.usage(PATH).uses if use.api == "torch.Tensor.__getitem__")
    return any(one.value == BYTES for use in indexes if use.call for one in use.call.arguments)


@pytest.mark.parametrize("body", OF_BYTES)
def test_bytes_that_stand_for_truth_values(body: str) -> None:
    assert takes_bytes(body)


@pytest.mark.parametrize("body", OF_OTHERS)
def test_what_may_be_other_numbers(body: str) -> None:
    assert not takes_bytes(body)
