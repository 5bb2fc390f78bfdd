"""What a tensor is made of is most likely none yet, even in a network that asks it for its shape."""

from __future__ import annotations

import pytest

from mindport.model.verdict import Confidence
from usage.marks import usage_of

TEXT = """import torch
from torch import nn

class Net(nn.Module):
    def predict(self, x):
        if len(x.shape) == 3:
            x.{member}
        return self({call})
"""
SURE = (Confidence.PROVED, Confidence.INFERRED)


def _is_tensor(member: str, call: str) -> bool:
    uses = usage_of(TEXT.format(member=member, call=call)).uses
    return any(
        use.api in ("torch.Tensor.shape", f"torch.Tensor.{member.partition('(')[0]}")
        and use.confidence in SURE
        for use in uses
    )


@pytest.mark.parametrize(
    ("member", "call", "is_tensor"),
    [
        ("ndim", "x", True),
        ("ndim", "torch.relu(x)", True),
        ("shape", "torch.tensor(x)", False),
        ("shape", "torch.tensor(x, dtype=torch.float)", False),
        ("shape", "torch.tensor(data=x)", False),
        ("shape", "torch.as_tensor(x)", False),
        ("shape", "torch.from_numpy(x)", False),
        ("shape", "torch.FloatTensor(x)", False),
        ("shape", "torch.LongTensor(x)", False),
        # What only tensors can do says more.
        ("unsqueeze_(0)", "torch.tensor(x)", True),
        ("detach()", "torch.as_tensor(x)", True),
    ],
)
def test_what_a_tensor_is_made_of(member: str, call: str, is_tensor: bool) -> None:
    assert _is_tensor(member, call) is is_tensor


SIZES = """import numpy as np
import torch
from torch.utils.data import DataLoader

def made(sizes, held, x: torch.Tensor):
    return {call}
"""


@pytest.mark.parametrize(
    ("call", "apis"),
    [
        # What makes the shape is left for the next round, which knows then that it is one.
        ("torch.FloatTensor(torch.Size(sizes))", ["torch.FloatTensor", "torch.Tensor.size"]),
        ("torch.Tensor(torch.Size([2, held]))", ["torch.Tensor", "torch.Tensor.size"]),
        ("torch.Tensor(x.size())", ["torch.Tensor", "torch.Tensor.size"]),
        ("torch.zeros(torch.Size(sizes))", ["torch.zeros", "torch.Size"]),
        ("torch.FloatTensor(sizes)", ["torch.FloatTensor"]),
    ],
)
def test_a_shape_that_a_class_of_tensors_gets(call: str, apis: list[str]) -> None:
    uses = usage_of(SIZES.format(call=call)).uses
    assert [use.api for use in uses if use.span.line == 6] == apis
