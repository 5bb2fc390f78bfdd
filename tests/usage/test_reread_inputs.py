"""Layers that overwrite their input are told apart by whether the network reads that input again."""

from __future__ import annotations

import textwrap

import pytest

from mindport.usage.project import Project

PATH = "/project/net.py"
LAYERS = {f"torch.nn.{name}" for name in ("ReLU", "LeakyReLU", "Dropout", "Dropout2d", "AlphaDropout")}
LAYER = "self.act = nn.ReLU(inplace=True)"
BLOCK = "self.block = nn.Sequential(nn.ReLU(True), nn.Linear(4, 4))"
# What a network holds, and what it does with an x that it is given.
READ_AGAIN = [
    (LAYER, "return x + self.act(x)"),
    (LAYER, "return self.act(x) + x"),
    (LAYER, "kept = x\nreturn kept + self.norm(self.act(x))"),
    (LAYER, "kept = x.view(-1)\nreturn torch.cat([kept, self.act(x).view(-1)])"),
    (LAYER, "y = self.act(x)\nreturn y * x"),
    (LAYER, "residual = x\nx = self.act(x)\nreturn x + residual"),
    (LAYER, "seen = []\nseen.append(x)\nx = self.act(x)\nreturn seen"),
    (LAYER, "seen = [x]\nx = self.act(x)\nreturn seen"),
    (LAYER, "seen = []\nseen += [x]\nx = self.act(x)\nreturn seen"),
    (LAYER, "for i in range(2):\n    y = self.act(x)\nreturn y"),
    (LAYER, "return torch.cat([x, self.act(x)], 1)  # 残差 🔥"),
    ("self.act = nn.LeakyReLU(0.2, True)", "return x + self.act(x)"),
    ("self.act = nn.LeakyReLU(negative_slope=0.2, inplace=True)", "return x + self.act(x)"),
    ("self.act = nn.Dropout(0.2, True)", "return x + self.act(x)"),
    ("self.act = nn.AlphaDropout(inplace=True)", "return x + self.act(x)"),
    (BLOCK, "return x + self.block(x)"),
    (BLOCK, "return torch.cat([x, self.block(x)], 1)"),
    ("relu = nn.ReLU(True)\nself.block = nn.Sequential(relu, nn.Linear(4, 4))", "return x + self.block(x)"),
    (
        "layers = [nn.ReLU(True)] + [nn.Linear(4, 4)]\nself.block = nn.Sequential(*layers)",
        "return x + self.block(x)",
    ),
    (
        "layers = []\nlayers += [nn.ReLU(True)]\nlayers += [nn.Linear(4, 4)]\nself.block = nn.Sequential(*layers)",
        "return x + self.block(x)",
    ),
    (
        "layers = []\nlayers.append(nn.ReLU(True))\nself.block = nn.Sequential(*layers)",
        "return x + self.block(x)",
    ),
    ("self.block = nn.Sequential(OrderedDict([('a', nn.ReLU(True))]))", "return x + self.block(x)"),
    ("self.block = nn.Sequential(nn.Sequential(nn.ReLU(True)), nn.Linear(4, 4))", "return x + self.block(x)"),
    # A class of the file that begins with such a layer.
    ("self.inner = Inner()", "return x + self.inner(x)"),
]
NOT_READ_AGAIN = [
    ("self.act = nn.Dropout2d(0.2)", "return x + self.act(x)"),
    ("self.act = nn.Dropout(0.2, True)", "return self.act(x)"),
    (LAYER, "return self.act(x)"),
    (LAYER, "x = self.act(x)\nreturn x + 1"),
    (LAYER, "y = x + 1\ny = self.act(y)\nreturn x + y"),
    (LAYER, "return x + self.act(x + 1)"),
    (LAYER, "kept = x + 1\nreturn kept + self.act(x)"),
    (LAYER, "return x + self.act(self.norm(x))"),
    (LAYER, "residual = x\nx = self.norm(x)\nx = self.act(x)\nreturn x + residual"),
    (LAYER, "y = self.act(x)\nx = self.norm(y)\nreturn x + y"),
    (LAYER, "for i in range(2):\n    x = self.act(x)\nreturn x"),
    (LAYER, "return x * 2 + self.act(x)"),
    ("self.act = nn.ReLU()", "return x + self.act(x)"),
    ("self.act = nn.ReLU(inplace=False)", "return x + self.act(x)"),
    ("self.act = nn.LeakyReLU(0.2, False)", "return x + self.act(x)"),
    ("self.block = nn.Sequential(nn.Linear(4, 4), nn.ReLU(True))", "return x + self.block(x)"),
    (
        "layers = [nn.Linear(4, 4)] + [nn.ReLU(True)]\nself.block = nn.Sequential(*layers)",
        "return x + self.block(x)",
    ),
    (
        "layers = []\nlayers += [nn.Linear(4, 4)]\nlayers += [nn.ReLU(True)]\nself.block = nn.Sequential(*layers)",
        "return x + self.block(x)",
    ),
    ("self.inner = Inner()", "return self.inner(x)"),
]
NETWORK = """
import torch
from collections import OrderedDict
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
{held}

    def forward(self, x):
{body}

class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.op = nn.Sequential({first}, nn.Linear(4, 4))

    def forward(self, x):
        return self.op(x)
"""


def signed(held: str, body: str) -> list[bool]:
    """Of each layer that can overwrite its input, whether it has the sign."""
    code = (textwrap.indent(text, " " * 8) for text in (held, body))
    first = "nn.ReLU(True)" if "Inner" in held else "nn.Identity()"
    project = Project("/project")
    project.add(PATH, NETWORK.format(held=next(code), body=next(code), first=first))
    uses = [use for use in project.usage(PATH).uses if use.api in LAYERS]
    return ["reread" in use.signs for use in uses]


@pytest.mark.parametrize(("held", "body"), READ_AGAIN)
def test_input_is_read_again(held: str, body: str) -> None:
    assert signed(held, body) == [True]


@pytest.mark.parametrize(("held", "body"), NOT_READ_AGAIN)
def test_input_is_not_read_again(held: str, body: str) -> None:
    assert signed(held, body) == [False]


def test_an_edit_above_moves_the_sign_and_one_in_another_method_takes_it_away() -> None:
    text = NETWORK.format(
        held=f"        {LAYER}", body="        return x + self.act(x)", first="nn.Identity()"
    )
    project = Project("/project")
    project.add(PATH, text)
    for now, expected in (
        (text, True),
        ("# 上\n" + text, True),
        (text.replace("return x + ", "return "), False),
    ):
        project.add(PATH, now)
        (use,) = (use for use in project.usage(PATH).uses if use.api == "torch.nn.ReLU")
        assert ("reread" in use.signs) is expected


def test_classes_that_hold_themselves_and_names_of_themselves_are_followed_once() -> None:
    held = "".join(f"        self.tree{number} = Tree(depth - 1)\n" for number in range(12))
    calls = "".join(f"        x = self.tree{number}(x)\n" for number in range(12))
    grown = "        layers = [nn.ReLU(True)]\n" + "        layers = layers + [nn.Linear(4, 4)]\n" * 12
    text = (
        "import torch\nfrom torch import nn\nclass Tree(nn.Module):\n    def __init__(self, depth):\n"
        f"        super().__init__()\n{grown}        self.block = nn.Sequential(*layers)\n{held}"
        f"    def forward(self, x):\n        y = x + self.block(x)\n{calls}        return x + y\n"
    )
    project = Project("/project")
    project.add(PATH, text)
    (made,) = [use for use in project.usage(PATH).uses if use.api == "torch.nn.ReLU"]
    assert "reread" in made.signs
