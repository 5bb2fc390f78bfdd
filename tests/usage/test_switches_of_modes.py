"""`train()` and `eval()` of what may be a network or a class of the project that has a switch of its own are marked."""

from __future__ import annotations

import pytest

from mindport.usage.api_use import Form
from mindport.usage.project import Project

TEXT = """import torch
from torch import nn


class Other:  # 代理 🙂
    {methods}


class Trainer:
    def __init__(self, policy):
        self.policy = policy

    def run(self):
        self.policy.train()
        self.policy.eval()
"""


def marked(methods: str) -> list[bool]:
    project = Project("")
    project.add("module.py", TEXT.format(methods="\n    ".join(methods.split("\n"))))
    names = ("torch.nn.Module.train", "torch.nn.Module.eval")
    return ["modes" in use.signs for use in project.usage("module.py").uses if use.api in names]


@pytest.mark.parametrize(
    "methods",
    [
        "def train(self, mode=True):\n    pass",
        "def train(self):\n    pass\ndef eval(self):\n    pass",
        "def train(self, is_training=True):\n    pass\ndef eval(self):\n    pass",
    ],
)
def test_a_switch_of_its_own(methods: str) -> None:
    assert marked(methods) == [True, True]


@pytest.mark.parametrize(
    "methods",
    [
        "pass",
        "def train(self):\n    pass",
        "def eval(self):\n    pass",
        "def train(self, loader):\n    pass\ndef eval(self, loader):\n    pass",
        "pass\nclass Net(nn.Module):\n    def train(self, mode=True):\n        pass\n    def eval(self):\n        pass",
        "def train(self):\n    pass\nclass Third:\n    def eval(self):\n        pass",
    ],
)
def test_loops_and_others(methods: str) -> None:
    found = marked(methods)
    assert len(found) >= 2 and not any(found)


GIVEN = """import torch
from torch import nn


class Other:
    {method}


def run(several, name, net):
    for one in several:
        found = one.train({given})
        one.test(name)
    net.eval()
    net.parameters()
    net.train(name)
"""


def switched(method: str, given: str) -> int:
    project = Project("")
    project.add("module.py", GIVEN.format(method=method, given=given))
    uses = project.usage("module.py").uses
    return sum(use.api == "torch.nn.Module.train" and use.form is Form.METHOD for use in uses)


def test_of_what_trains_with_what_it_is_given_nothing_is_said() -> None:
    assert switched("def train(self, setting):\n        pass", "name") == 1
    assert switched("def train(self, setting, epochs=3):\n        pass", "name") == 1


@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("pass", "name"),
        ("def train(self):\n        pass", "name"),
        ("def train(self, mode=True):\n        pass", "name"),
        ("def train(self, setting):\n        pass", "True"),
        ("def train(self, setting):\n        pass", ""),
        ("pass\n\nclass Net(nn.Module):\n    def train(self, mode):\n        pass", "name"),
    ],
)
def test_of_any_other_it_may_be_a_switch(method: str, given: str) -> None:
    assert switched(method, given) == 2


@pytest.mark.parametrize(
    ("given", "expected"), [("name, save=True", 0), ("name", 0), ("", 2), ("*options", 0), ("mode=True", 0)]
)
def test_what_is_evaluated_with_something_is_no_network(given: str, expected: int) -> None:
    project = Project("")
    body = f"        one.eval({given})\n        one.train(name)\n"
    project.add("module.py", f"import torch\n\n\ndef run(several, name):\n    for one in several:\n{body}")
    names = ("torch.nn.Module.train", "torch.nn.Module.eval")
    assert sum(use.api in names for use in project.usage("module.py").uses) == expected
