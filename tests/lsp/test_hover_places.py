"""Which card a place has: the innermost name under the mouse, and an operator's on its sign."""

from __future__ import annotations

import pytest
from language_client import InnerClient

URI = "file:///project/places.py"
TEXT = """\
import torch


def f(a: torch.Tensor, b: torch.Tensor, mask: torch.Tensor):
    s = "张量 🚀"; c = a - b.detach()  # 差 🔥
    c += b[:, 1].std()
    return torch.exp(a - (
        b.exp())) + -torch.min(a, b), ~mask
"""
CARDS = [
    ("detach", "torch.Tensor.detach"),
    ("- b.detach", "torch.Tensor.__sub__"),
    ("a - b.detach", None),
    ("b.detach", None),
    ("+= b", "torch.Tensor.__iadd__"),
    ("[:, 1]", "torch.Tensor.__getitem__"),
    ("1].std", None),
    ("std()", "torch.Tensor.std"),
    ("exp(a", "torch.exp"),
    ("exp())", "torch.Tensor.exp"),
    ("-torch.min", "torch.Tensor.__neg__"),
    ("min(a", "torch.min"),
    ("~mask", "torch.Tensor.__invert__"),
    ("mask\n", None),
    ("张量", None),
    ("差", None),
]


@pytest.mark.parametrize(("text", "api"), CARDS)
def test_card_is_of_the_innermost_name(client: InnerClient, text: str, api: str | None) -> None:
    client.start({"textDocument": {"hover": {"contentFormat": ["markdown"]}}})
    client.open(URI, TEXT)
    before = TEXT[: TEXT.index(text)]
    line, start = before.count("\n"), before.rpartition("\n")[2]
    hover = client.hover(URI, line, len(start.encode("utf-16-le")) // 2)
    headline = None if hover is None else hover["contents"]["value"].splitlines()[0]
    assert (headline is None) if api is None else (headline is not None and f"`{api}`" in headline), headline
