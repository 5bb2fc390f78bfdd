"""Convolutions that are given another weight than the layer's own are computed by a function."""

import pytest
from converting import converted

TEXT = "import torch\nfrom torch import nn\n\nstart = torch.ones(3)\n\n\n{}"
CLASS = "class Conv(nn.Conv2d):\n    def forward(self, x):\n        return {}\n"

WRITTEN = [
    (CLASS.format("self._conv_forward(x, self.weight * 2, self.bias)"),
     "torch_conv_forward(self, x, self.weight * 2, self.bias)"),
    (CLASS.format("super()._conv_forward(x, weight=self.weight, bias=None)"),
     "torch_conv_forward(self, x, weight=self.weight, bias=None)"),
    (CLASS.format("self.parts[0]._conv_forward(\n            x, self.weight, self.bias\n        )"),
     "torch_conv_forward(self.parts[0], x, self.weight, self.bias\n        )"),
]  # fmt: skip
STAY = [
    CLASS.format("self._conv_forward(x, self.weight, None)")
    + "\n    def _conv_forward(self, x, weight, bias):\n        return x\n",
    CLASS.format("self._conv_forward"),
    CLASS.format("self.conv_forward(x, self.weight, None)"),
]


@pytest.mark.parametrize(("before", "after"), WRITTEN)
def test_by_a_function(before, after):
    once = converted(TEXT.format(before))
    assert after in once
    assert "def torch_conv_forward(" in once
    assert converted(once) == once


@pytest.mark.parametrize("before", STAY)
def test_the_projects_own_stay(before):
    assert "torch_conv_forward" not in converted(TEXT.format(before))


def test_code_without_torch_stays():
    text = "def f(conv, x):\n    return conv._conv_forward(x, 1, 2)\n"
    assert converted(text) == text
