"""The remark on calls that change their tensor: which replacement it speaks of, and that other calls have none."""

from __future__ import annotations

import pytest

from mindport.explain.in_place import in_place_remark
from mindport.mapping.schema import Case

IN_PLACE = "torch.Tensor.abs_"


@pytest.mark.parametrize(
    ("name", "rewrite", "beginning"),
    [
        (IN_PLACE, "$input[()] = $input.copy().abs()", "Writing through"),
        ("torch.abs_", "$input[()] = $input.copy().abs()", "Writing through"),
        (IN_PLACE, "$input.copy_($input.abs())", "`copy_` changes x"),
        (IN_PLACE, "$input.abs()", "The value of the call is used"),
    ],
)
def test_says_what_becomes_of_the_tensor(name, rewrite, beginning):
    assert in_place_remark(name, Case(verdict="composed", rewrite=rewrite)).startswith(beginning)


@pytest.mark.parametrize(
    ("name", "case"),
    [
        ("torch.Tensor.abs", Case(verdict="composed", rewrite="$input.abs()")),
        ("torch.Tensor.__add__", Case(verdict="composed", rewrite="$input + $other")),
        ("torch.Tensor.unsqueeze_", Case(verdict="composed", rewrite="$input = $input.unsqueeze($dim)")),
        (IN_PLACE, Case(verdict="same", call="mindspore.Tensor.abs_")),
        (IN_PLACE, Case(verdict="none", why="Not there.")),
    ],
)
def test_is_silent_elsewhere(name, case):
    assert in_place_remark(name, case) == ""
