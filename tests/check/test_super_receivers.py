"""What is called on `super()` belongs to the object itself where nothing is left of the call."""

from __future__ import annotations

import pytest
from converting import converted

RETURNED = [
    ("super().to(device)", "self"),
    ("super(Net, self).to(device)", "self"),
    ("super().to(torch.float16)", "super().to(mindspore.float16)"),
    ("super().to(device, torch.float16)", "super().to(device, mindspore.float16)"),
    ("self.to(device)", "self.to(device)"),  # its own method
    ("self.part.to(device)", "self.part"),
]


@pytest.mark.parametrize(("before", "after"), RETURNED)
def test_object_of_super(before: str, after: str) -> None:
    text = (
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n        self.part = nn.ReLU()\n\n"
        f"    def to(self, device):\n        return {before}\n"
    )
    assert converted(text).splitlines()[-1] == f"        return {after}"
