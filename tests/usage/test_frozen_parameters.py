"""Where parameters may be frozen that an optimizer has already, every file with steps says so."""

from __future__ import annotations

import pytest

from mindport.usage.project import Project

TRAIN = """from torch.optim import Adam
from other import *

def train(net, optimizer, batches):
    for batch in batches:
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step()
        {inside}

def main():
    net = make()
    {before}
    optimizer = Adam(net.parameters())  # 优化器 🙂
    {made}
    for epoch in range(3):
        train(net, optimizer, batches)
        {between}

main()
"""
FREEZE = "def freeze(net):\n    for p in net.features.parameters():\n        p.requires_grad = False\n"
LAYERS = "def freeze(net):\n    for i in range(3):\n        net.layers[i].requires_grad_(False)\n"
METHOD = (
    "class Net:\n    def freeze(self):\n        for m in self.modules():\n            m.eval()\n"
    "            m.weight.requires_grad = False\n"
)
TENSORS = "def freeze(x):\n    x.requires_grad = False\n    image.requires_grad_(False)\n"
MADE = "import torch\ndef made(net):\n    return torch.optim.SGD(net.parameters(), lr=1)\n"


def is_frozen(other: str, **places: str) -> bool:
    project = Project("/project")
    written = dict.fromkeys(("inside", "before", "made", "between"), "pass") | places
    project.add("train.py", TRAIN.format(**written))
    project.add("other.py", other)
    return project.usage("train.py").beside_steps.freezes


@pytest.mark.parametrize("other", [FREEZE, LAYERS, METHOD])
@pytest.mark.parametrize("place", ["inside", "made", "between"])
@pytest.mark.parametrize("call", ["freeze(net)", "net.freeze()"])
def test_frozen_when_the_optimizer_is_there(other: str, place: str, call: str) -> None:
    assert is_frozen(other, **{place: call})


@pytest.mark.parametrize(
    ("other", "places"),
    [
        ("", {"inside": "net.fc.requires_grad_(False)"}),
        ("", {"made": "net.fc.weight.requires_grad = False"}),
        ("", {"between": "for p in net.parameters(): p.requires_grad_(requires_grad=False)"}),
        (MADE + FREEZE, {"before": "optimizer = made(net); freeze(net); train(net, optimizer, [])"}),
    ],
)
def test_other_ways(other: str, places: dict[str, str]) -> None:
    assert is_frozen(other, **places)


@pytest.mark.parametrize(
    ("other", "places"),
    [
        (FREEZE, {}),  # nobody calls it
        (FREEZE, {"before": "freeze(net)"}),
        (LAYERS, {"before": "freeze(net)"}),
        (METHOD, {"before": "net.freeze()"}),
        (TENSORS, {"inside": "freeze(batch)"}),
        ("class Net:\n    def __init__(self):\n        self.layers.requires_grad_(False)\n", {}),
        ("", {"before": "for p in net.parameters(): p.requires_grad = False"}),
        ("", {"inside": "x.requires_grad = False"}),
        ("", {"inside": "torch.ones(2, requires_grad=False)"}),
    ],
)
def test_frozen_at_the_start_or_never(other: str, places: dict[str, str]) -> None:
    assert not is_frozen(other, **places)


def test_edits() -> None:
    project = Project("/project")
    written = {"inside": "pass", "before": "pass", "made": "freeze(net)", "between": "pass"}
    project.add("train.py", TRAIN.format(**written))
    assert not project.usage("train.py").beside_steps.freezes
    project.add("other.py", FREEZE)
    assert project.usage("train.py").beside_steps.freezes
    project.add("other.py", FREEZE.replace("False", "None"))
    project.add("other.py", TENSORS)
    assert not project.usage("train.py").beside_steps.freezes
    project.add("other.py", FREEZE)
    project.remove("other.py")
    assert not project.usage("train.py").beside_steps.freezes
