"""What is known of modules that lie in containers."""

from __future__ import annotations

import pytest

from mindport.usage.api_use import Kind
from mindport.usage.mixed_layers import MIXED
from usage.marks import usage_of

HEADER = "import torch\nfrom torch import nn\nfrom torch.nn.parallel import DistributedDataParallel as DDP\n"
NET = """class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.parts = {made}
        self.head = nn.Linear(4, 3)
        {use}
"""
OWN = """class Own(nn.Module): pass
class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(3, 4)
"""
TABLE, NORM = "torch.nn.Embedding.weight", "torch.nn.LayerNorm.weight"
BY_KEY = [
    ("nn.ModuleDict(dict(a=nn.Embedding(3, 4), b=nn.LayerNorm(4)))", "self.parts.a.weight", TABLE),
    ("nn.ModuleDict(dict(a=nn.Embedding(3, 4), b=nn.LayerNorm(4)))", "self.parts.b.weight", NORM),
    ("nn.ModuleDict({'a': nn.Embedding(3, 4), 'b': Own()})", "self.parts['a'].weight", TABLE),
    ("nn.ModuleDict({'a': nn.Embedding(n, 4)})", "self.parts.a.weight = self.head.weight", TABLE),
    ("nn.ModuleDict({'a': nn.ModuleList([nn.Embedding(3, 4)])})", "self.parts.a[0].weight", TABLE),
]
ONE_CLASS = [
    ("nn.ModuleList([nn.Embedding(3, 4) for i in range(n)])", "self.parts[1].weight", TABLE),
    ("nn.ModuleList([nn.LayerNorm(4), nn.LayerNorm(5)])", "for m in self.parts: m.weight", NORM),
    ("nn.Sequential(nn.LayerNorm(4), nn.LayerNorm(4))", "self.parts[0].weight", NORM),
]
BY_PLACE = [
    ("nn.Sequential(nn.Embedding(3, 4), nn.LayerNorm(4))", "self.parts[0].weight", TABLE),
    ("nn.Sequential(nn.Embedding(3, 4), nn.ReLU(), nn.LayerNorm(4))", "self.parts[-1].weight", NORM),
    ("nn.Sequential(Own(), nn.Sequential(nn.ReLU(), nn.LayerNorm(4)))", "self.parts[1][1].weight", NORM),
    ("nn.Sequential(Table(), nn.ReLU())", "self.parts[0].table.weight", TABLE),
]
ANY_OF_SEVERAL = [
    ("nn.Sequential(nn.Embedding(3, 4), nn.LayerNorm(4))", "self.parts[n].weight"),
    ("nn.Sequential(nn.Embedding(3, 4), nn.LayerNorm(4), nn.ReLU())", "for m in self.parts: m.weight"),
    ("nn.ModuleList([nn.Embedding(3, 4), nn.LayerNorm(4)])", "self.parts[n].weight"),
    ("nn.ModuleList([nn.Embedding(3, 4), nn.ReLU(), nn.LayerNorm(4)])", "for m in self.parts: m.weight"),
    ("nn.ModuleList([nn.Embedding(3, 4), nn.LayerNorm(4), n])", "self.parts[n].weight"),
]
UNKNOWN = [
    ("nn.Sequential(nn.Embedding(3, 4), nn.LayerNorm(4), n)", "self.parts[n].weight"),
    ("nn.Sequential(nn.Embedding(3, 4), nn.LayerNorm(4))", "self.parts[1:][0].weight"),
    ("nn.Sequential(nn.Embedding(3, 4), *n)", "self.parts[1].weight"),
    ("nn.Sequential(nn.Embedding(3, 4), *n)", "self.parts[-1].weight"),
    ("nn.Sequential(*n, nn.Embedding(3, 4))", "self.parts[0].weight"),
    ("nn.Sequential(*n, nn.Embedding(3, 4))", "self.parts[1].weight"),
    (
        "nn.Sequential(nn.Embedding(3, 4), Own()) if n else nn.Sequential(nn.LayerNorm(4), Own())",
        "self.parts[0].weight",
    ),
    ("nn.ModuleList(n)", "self.parts[0].weight"),
    ("nn.ModuleDict({n: nn.Embedding(3, 4)})", "self.parts.a.weight"),
    ("nn.ModuleDict({'a': nn.Embedding(3, 4), **n})", "self.parts.b.weight"),
    ("nn.ModuleDict({'a': nn.Embedding(3, 4)})", "self.parts.b.weight"),
    ("dict(a=nn.Embedding(3, 4))", "self.parts.a.weight"),
]


def weights(made: str, use: str) -> list[str]:
    text = HEADER + OWN + NET.format(made=made, use=use)
    return [one.api for one in usage_of(text).uses if one.api.endswith(".weight") and "Linear" not in one.api]


@pytest.mark.parametrize(("made", "use", "api"), BY_KEY + ONE_CLASS + BY_PLACE)
def test_what_was_put_in_is_known(made: str, use: str, api: str) -> None:
    assert weights(made, use) == [api]


@pytest.mark.parametrize(("made", "use"), ANY_OF_SEVERAL)
def test_what_may_be_of_several_kinds_is_said_to_be(made: str, use: str) -> None:
    text = HEADER + OWN + NET.format(made=made, use=use)
    (one,) = (one for one in usage_of(text).uses if one.api == NORM)
    assert one.signs >= MIXED


@pytest.mark.parametrize(("made", "use"), UNKNOWN)
def test_nothing_is_said_of_what_may_be_another(made: str, use: str) -> None:
    assert weights(made, use) == []


def test_a_key_that_is_stored_later_is_no_known_one() -> None:
    text = (
        f"{HEADER}def f():\n    d = {{'a': nn.Embedding(3, 4)}}\n    d['a'] = nn.LayerNorm(4)\n"
        "    m = nn.ModuleDict(d)\n    m.a.weight\n"
    )
    assert [use.api for use in usage_of(text).uses if use.api.endswith(".weight")] == []


def test_of_a_net_that_may_be_wrapped_the_method_of_both_is_meant() -> None:
    text = HEADER + "def f(ddp):\n    m = nn.Linear(1, 2)\n    if ddp:\n        m = DDP(m)\n    m.train()\n"
    assert [use.api for use in usage_of(text).uses if use.api.endswith(".train")] == ["torch.nn.Module.train"]


TRAINER = """import numpy as np
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.widths = np.array([4, 8])
class Decoder(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.widths = widths
        self.head = nn.Linear(self.widths[-1], 4)
class Trainer:
    def __init__(self):
        self.models = {}
        self.models["encoder"] = Encoder()
        self.models["decoder"] = Decoder(self.models["encoder"].widths)
"""


def test_what_is_kept_under_a_key_may_hang_on_what_is_kept_under_another():
    layers = [use for use in usage_of(HEADER + TRAINER).uses if use.api == "torch.nn.Linear"]
    assert [use.call.arguments[0].kind for use in layers] == [Kind.NDARRAY]
