"""A converted class starts in training mode, as torch's does, unless its own `__init__` chooses another."""

import textwrap

import pytest
from converting import converted

BEGIN = "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self, body, is_frozen):\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # The mode that is chosen comes last.
        ("self.a = nn.ReLU()\nself.eval()", "self.a = nn.ReLU()\nself.set_train()\nself.set_train(False)"),
        ("self.train(False)\nself.b = 1", "self.set_train()\nself.set_train(False)\nself.b = 1"),
        ("self.body = body\nself.body.eval()  # off", "self.body = body\nself.set_train()\nself.body.eval()  # off"),
        (
            "self.a = 1\n# Often fixed.\nif is_frozen:\n    self.eval()",
            "self.a = 1\nself.set_train()\n# Often fixed.\nif is_frozen:\n    self.set_train(False)",
        ),
        # Nothing chooses a mode.
        ("self.a = nn.ReLU()", "self.a = nn.ReLU()\nself.set_train()"),
        ("self.a = eval(body)", "self.a = eval(body)\nself.set_train()"),
        ("self.a = body.eval('1')", "self.a = body.eval('1')\nself.set_train()"),
        ("self.a = body.trains(False)", "self.a = body.trains(False)\nself.set_train()"),
    ],
)  # fmt: skip
def test_the_mode_after_init(before, after):
    def text(statements):
        return textwrap.indent(f"super().__init__()\n{statements}\n", " " * 8)

    once = converted(BEGIN + text(before))
    assert once.partition("is_frozen):\n")[2].replace("body.set_train(False)", "body.eval()") == text(after)
    assert converted(once) == once


def test_a_mode_chosen_in_a_single_line_stays():
    text = "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self): super().__init__(); self.eval()\n"
    once = converted(text)
    assert once.endswith("    def __init__(self): super().__init__(); self.set_train(False)\n")
    assert converted(once) == once


UNSURE = """import torch
from torch import nn


class Agent{base}:
    def train({parameters}):
        return self


def switch(models):
    for model in models:
        print(model.training)
        model.train(False)


def known(model: nn.Module):
    model.train(False)
"""


@pytest.mark.parametrize(
    ("parameters", "base", "expected"),
    [
        ("self, training=True", "", "torch_train(model, False)"),
        ("self, mode", "", "torch_train(model, False)"),
        ("self", "", "model.set_train(False)"),
        ("self, epochs=3", "", "model.set_train(False)"),
        ("self, training=True", "(nn.Module)", "model.set_train(False)"),
    ],
)
def test_what_may_be_an_agent_keeps_its_method(parameters: str, base: str, expected: str) -> None:
    text = converted(UNSURE.format(parameters=parameters, base=base), unsafe=True)
    assert text.count(f"        {expected}\n") == 1
    assert text.rstrip().endswith("    model.set_train(False)")
