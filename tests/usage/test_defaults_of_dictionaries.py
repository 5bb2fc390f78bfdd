"""What a dictionary gives that may lack the key, `losses.get("gan", 0.0)`: the default is another kind of value."""

import pytest

from mindport.usage.api_use import Kind
from usage.marks import usage_of

TEXT = """import torch
def shown(x: torch.Tensor, key, other):
    losses = {{"a": x.sum(), "b": x.mean()}}
    torch.abs({read})
"""
TENSORS = [
    "losses.get(key)",
    "losses.get(key, None)",
    "losses.get(key, torch.zeros(1))",
    "losses.pop(key)",
    "losses.setdefault(key, x)",
    "losses.get(key, other)",
    'losses["a"]',
]
NOT_FOR_CERTAIN = [
    "losses.get(key, 0.0)",
    "losses.get(key, 0)",
    "losses.pop(key, 1)",
    "losses.setdefault(key, 0)",
    "losses.get(key, 'none')",
]


def kind(read: str) -> Kind:
    (call,) = [use.call for use in usage_of(TEXT.format(read=read)).uses if use.api == "torch.abs"]
    return call.arguments[0].kind


@pytest.mark.parametrize("read", TENSORS)
def test_a_tensor_is_read(read):
    assert kind(read) is Kind.TENSOR


@pytest.mark.parametrize("read", NOT_FOR_CERTAIN)
def test_a_default_of_another_kind_is_no_tensor(read):
    assert kind(read) is not Kind.TENSOR
