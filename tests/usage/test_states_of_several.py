"""`state_dict()` and `parameters()` of what may be a network as well as an optimizer or a class of the project are
marked; no others are."""

from __future__ import annotations

import textwrap

import pytest

from mindport.usage.project import Project

MADE = """
import torch
from torch import nn, optim
net = nn.Linear(2, 2)
optimizer = optim.SGD(net.parameters(), 0.1)
class Count:
    def state_dict(self):
        return {}
    def load_state_dict(self, state):
        pass
"""
SEVERAL = {
    "dictionary": "for name, one in {'net': net, 'optimizer': optimizer}.items():\n    one.state_dict()",
    "list": "for one in [net, Count()]:\n    one.state_dict()",
    "comprehension": "def saved(parts):\n    return {name: one.state_dict() for name, one in parts.items()}",
    "values": "class Keeper:\n    def save(self):\n        return [one.state_dict() for one in self.parts.values()]",
    "looked up": "class Trainer:\n    def save(self, name):\n        return getattr(self, name).state_dict()",
    "looked up by a function": "from parts import recursive_getattr\n"
    "def saved(self, names):\n    for name in names:\n        part = recursive_getattr(self, name)\n"
    "        getattr(part, 'inner', part).state_dict()",
    "handed in": "class Keeper:\n    def __init__(self, **parts):\n        self.parts = parts\n    def save(self):\n"
    "        return [one.state_dict() for one in self.parts.values()]\ndef keep(model):\n"
    "    Keeper(model=model, optimizer=optimizer)",
    "unwrapped": "def saved(self, name):\n    one = getattr(self, name)\n    if one is not None:\n"
    "        if hasattr(one, 'module'):\n            one = one.module\n        return one.state_dict()",
    "loads": "def loaded(parts, state):\n    for name, one in parts.items():\n        one.load_state_dict(state[name])",
    "item": "def saved(parts, name):\n    return parts[name].state_dict()",
}
ONE_KIND = {
    "network": "net.state_dict()",
    "optimizer": "optimizer.state_dict()",
    "own class": "Count().state_dict()",
    "networks": "for one in [net, nn.Conv2d(1, 2, 3)]:\n    one.state_dict()",
    "parameter": "def saved(model):\n    return model.state_dict()",
    "attribute": "class Trainer:\n    def save(self):\n        return self.model.state_dict()",
    "of another function": "def saved(self, name):\n    return find_attribute(self, name).state_dict()",
    "by a known name": "class Trainer:\n    def save(self):\n        return getattr(self, 'model').state_dict()",
    "another method": "for one in [net, Count()]:\n    one.parameters()",
}


def signs_of(text: str) -> list[frozenset[str]]:
    project = Project("")
    project.add("module.py", MADE + textwrap.dedent(text) + "\n")
    names = ("state_dict", "load_state_dict", "parameters")
    uses = project.usage("module.py").uses
    return [use.signs for use in uses if use.api.rpartition(".")[2] in names and use.span.line > 10]


@pytest.mark.parametrize("spelling", SEVERAL)
def test_one_of_several_things(spelling: str) -> None:
    assert ["several" in signs for signs in signs_of(SEVERAL[spelling])] == [True]


@pytest.mark.parametrize("spelling", ONE_KIND)
def test_things_of_one_kind(spelling: str) -> None:
    assert not any("several" in signs for signs in signs_of(ONE_KIND[spelling]))


AGENTS = "class Agents:\n    def {method}(self{arguments}):\n        return self.net.parameters()\n"
LISTED = {
    "handed in": (
        "class Learner:\n    def __init__(self, mac):\n        self.params = list(mac.parameters())",
        1,
    ),
    "of an attribute": (
        "class Learner:\n    def __init__(self):\n        optim.Adam(self.mac.parameters(), 1e-3)",
        1,
    ),
    "all of a list": ("def listed(agents):\n    return [p for one in agents for p in one.parameters()]", 1),
    "surely a network": (
        "class Learner:\n    def __init__(self):\n        list(nn.Linear(2, 2).parameters())",
        0,
    ),
    "surely its own": ("def f():\n    return list(Agents().parameters())", 0),
}


@pytest.mark.parametrize("case", LISTED)
def test_parameters_of_own_classes(case: str) -> None:
    text, marked = LISTED[case]
    for method, arguments, is_torchs in (
        ("parameters", "", True),
        ("parameters", ", recurse=True", True),
        ("parameters", ", space", False),
        ("weights", "", False),
    ):
        own = AGENTS.format(method=method, arguments=arguments)
        signs = signs_of(own + text)[1:]
        assert sum("several" in found for found in signs) == (marked if is_torchs else 0)
