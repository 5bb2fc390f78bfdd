"""An index that is an array of NumPy's after the first round of a loop, and what a generator hands over."""

from __future__ import annotations

import pytest

from usage.marks import usage_of

TEXT = """import numpy as np
import torch

def zeroed(x, mask):
    x[:, mask] = 0
    return x

class Batches:
    def __iter__(self):
        ended = {start}
        while True:
            yield torch.zeros(3), ended
            ended = {later}

def run(n):
    x, mask = torch.ones(2, 5), {start}
    for i in range(n):
        zeroed(x, mask)
        mask = {later}
    for row, ended in Batches():
        x[:, ended] = 1
    for i, (row, ended) in enumerate(Batches()):
        x[:, ended] = 2
"""


@pytest.mark.parametrize(
    ("start", "later", "arrays"),
    [
        ("[]", "np.arange(3)[np.arange(3) > 1]", 3),
        ("np.arange(2)", "np.arange(3)", 3),
        ("[]", "[0, 2]", 0),
        ("[1]", "[0, 2]", 0),
        ("[]", "torch.arange(2)", 0),
        ("[]", "made(n)", 0),
    ],
)
def test_a_list_that_arrays_take_the_place_of(start, later, arrays):
    usage = usage_of(TEXT.format(start=start, later=later))
    assert [use.api for use in usage.uses].count("torch.Tensor.__getitem__") == arrays


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("yield x, 3", ["torch.Tensor.view"]),
        ("return [(x, 3)]", ["torch.Tensor.view"]),
        ("yield 3, 3", []),
    ],
)
def test_what_a_generator_of_its_arguments_hands_over(body, found):
    text = f"""import torch

def pairs(x):
    {body}

for x, number in pairs(torch.zeros(3)):
    x.view(3)
    number.view(3)
"""
    apis = [use.api for use in usage_of(text).uses if use.api.endswith("view")]
    assert apis == found
