"""Weights of layers that may be of several classes are read under the name that each has for them."""

import pytest
from converting import converted

TEXT = "from torch import nn\n\n\ndef init(m, other):\n{}"

MIXED = [
    (
        "    if isinstance(m, (nn.Linear, nn.Embedding)):\n        m.weight.data.normal_(0, 0.02)\n",
        "        torch_weight(m)[()] = ",
    ),
    (
        "    if isinstance(m, (nn.BatchNorm2d, nn.Linear)):\n        nn.init.constant_(m.weight, 2.0)\n",
        "        torch_weight(m)[:] = 2.0\n",
    ),
    (
        "    if isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):\n        nn.init.constant_(m.bias, 0.0)\n",
        "        torch_bias(m)[:] = 0.0\n",
    ),
    (
        "    if type(m) in (nn.Conv2d, nn.Embedding) and m.weight.shape[0] == 5:\n        return m.bias\n",
        " and torch_weight(m).shape[0] == 5:\n        return torch_bias(m)\n",
    ),
]
OF_ONE_KIND = [
    ("    if isinstance(m, (nn.Linear, nn.Conv2d)):\n        return m.weight\n", "return m.weight\n"),
    ("    if isinstance(m, (nn.BatchNorm2d, nn.LayerNorm)):\n        return m.weight\n", "return m.gamma\n"),
    ("    if isinstance(m, nn.Embedding):\n        return m.weight\n", "return m.embedding_table\n"),
    (
        "    if isinstance(m, (nn.Linear, nn.Embedding)):\n        return other.weight\n",
        "return other.weight\n",
    ),
    ("    if m in (nn.Linear, nn.Embedding):\n        return m.weight\n", "return m.weight\n"),
]


@pytest.mark.parametrize(("before", "after"), MIXED)
def test_names_that_are_not_right_for_all(before, after):
    once = converted(TEXT.format(before))
    assert after in once
    assert converted(once) == once


@pytest.mark.parametrize(("before", "after"), OF_ONE_KIND)
def test_one_name_that_is_right_for_all(before, after):
    once = converted(TEXT.format(before))
    assert once.endswith(after)
    assert "torch_weight" not in once
