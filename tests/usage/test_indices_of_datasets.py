"""What a dataset is asked for is a number, which one of NumPy's may take the place of."""

from __future__ import annotations

import pytest

from mindport.usage.api_use import Kind
from usage.marks import usage_of

GETITEM = "torch.Tensor.__getitem__"
TEXT = """import numpy as np
import torch
from torch.utils import data

class Pairs({base}):
    def __init__(self, images, others):
        self.images = torch.from_numpy(images)
        self.others = others

    def {method}(self, index):
        {told}
        other = index
        while other == index:
            other = np.random.choice(self.others)
        return self.images[other]
"""


@pytest.mark.parametrize(
    ("base", "method", "told", "indices"),
    [
        ("data.Dataset", "__getitem__", "pass", 1),
        ("torch.utils.data.Dataset", "__getitem__", "print(str(index))", 1),
        # What is not known may be a tuple or a slice as well.
        ("object", "__getitem__", "pass", 0),
        ("data.Dataset", "item", "pass", 0),
        ("data.Dataset", "__getitem__", "number, scale = index", 0),
        ("data.Dataset", "__getitem__", "scale = index['scale']", 0),
        ("data.Dataset", "__getitem__", "start = index.start", 0),
    ],
)
def test_an_index_beside_one_of_numpy(base: str, method: str, told: str, indices: int) -> None:
    usage = usage_of(TEXT.format(base=base, method=method, told=told))
    given = [use.call.arguments[0].kind for use in usage.uses if use.api == GETITEM and use.call is not None]
    assert given == [Kind.NDARRAY] * indices
