"""Layers that get tensors of fewer axes than their name says are told apart, where the network's own code shows it."""

from __future__ import annotations

import textwrap

import pytest

from mindport.usage.project import Project

PATH = "/project/net.py"
DROP = "self.drop = nn.Dropout2d(0.5)"
FEW = frozenset({"few_axes"})
# What a network holds beside `self.fc` and `self.norm`, and what it does with an x that it is given.
COUNTED = [
    (DROP, "return self.drop(x.view(-1, 320))"),
    (DROP, "return self.drop(x.view((x.size(0), -1)))"),
    (DROP, "return self.drop(x.reshape([-1, 320]))"),
    (DROP, "return self.drop(torch.flatten(x, 1))"),
    (DROP, "return self.drop(torch.flatten(x, start_dim=1))"),
    (DROP, "x = F.relu(self.fc(x.flatten(1)))\nreturn self.drop(x)  # 随机失活 🔥"),
    (DROP, "x = x.view(-1, 4, 5)\nreturn self.drop(x[:, -1, :])"),
    (DROP, "x = x.view(-1, 4, 5)\nreturn self.drop(x[:, -1])"),
    (DROP, "x = x.view(-1, 4, 5)\nreturn self.drop(x.mean(1))"),
    (DROP, "x = x.view(-1, 4)\nreturn self.drop(x + self.fc(x) * 2)"),
    (DROP, "x = x.view(-1, 4)\nfor _ in range(3):\n    x = self.drop(self.fc(x))\nreturn x"),
    (DROP, "x = x.view(-1, 4)\nif self.training:\n    x = self.fc(x)\nreturn self.drop(x)"),
    (
        f"self.rnn = nn.LSTM(4, 4)\n{DROP}",
        "x, _ = self.rnn(x.view(-1, 5, 4))\nreturn self.drop(x[-1])",
    ),
    ("self.drop = nn.Sequential(nn.Flatten(), nn.Dropout2d())", "return self.drop(x)"),
    ("self.drop = nn.Sequential(nn.Linear(4, 4), nn.Dropout2d())", "return self.drop(x.view(-1, 4))"),
    (DROP, "return self.drop(x.view(-1, 4, 5))"),
    (DROP, "return self.drop(x.view(-1, 4).unsqueeze(0))"),
    (DROP, "return self.drop(x.view(-1, 4)[None])"),
]
NOT_COUNTED = [
    (DROP, "return self.drop(x)"),
    (DROP, "return self.drop(x.view(-1, 4, 5, 5))"),
    (DROP, "return self.drop(x.view(*x.shape[:2], -1))"),
    (DROP, "return self.drop(x.view(x.size()[:2]))"),
    (DROP, "return self.drop(x.flatten())"),
    (DROP, "return self.drop(x.flatten(2))"),
    (DROP, "return self.drop(self.fc(x))"),
    (DROP, "return self.drop(x.view(-1, 4, 5).squeeze())"),
    (DROP, "return self.drop(x.view(-1, 4, 5)[x > 0])"),
    (DROP, "return self.drop(x.view(-1, 4)) + self.drop(x.view(-1, 4, 5, 5)).mean()"),
    (DROP, "if self.training:\n    x = x.view(-1, 4)\nreturn self.drop(x)"),
    (DROP, "return self.drop(self.other(x.view(-1, 4)))"),
    (DROP, "return x.view(-1, 4)"),
    ("self.drop = nn.Sequential(nn.Flatten(2), nn.Dropout2d())", "return self.drop(x)"),
    ("self.drop = nn.Sequential(Own(), nn.Dropout2d())", "return self.drop(x.view(-1, 4))"),
    (f"{DROP}\nself.drop = Own(self.drop)", "return self.drop(x.view(-1, 4))"),
    (DROP, "return other(self.drop, x) + self.drop(x.view(-1, 4))"),
    (DROP, "return self.drop(x.view(-1, 4))\ndef features(self, x):\n    return self.drop(x)"),
]


def _signs(held: str, forward: str) -> list[frozenset[str]]:
    text = "\n".join(
        [
            "import torch",
            "import torch.nn.functional as F",
            "from torch import nn",
            "class Net(nn.Module):",
            "    def __init__(self):",
            "        super().__init__()",
            "        self.fc = nn.Linear(4, 4)",
            textwrap.indent(held, " " * 8),
            "    def forward(self, x):",
            textwrap.indent(forward, " " * 8).replace("        def features", "    def features"),
        ]
    )
    return _of_text(text)


def _of_text(text: str) -> list[frozenset[str]]:
    project = Project("/project")
    project.add(PATH, text)
    uses = project.usage(PATH).uses
    return [use.signs & FEW for use in uses if use.api == "torch.nn.Dropout2d"]


@pytest.mark.parametrize(("held", "forward"), COUNTED)
def test_a_layer_of_fewer_axes_has_the_sign(held: str, forward: str) -> None:
    assert _signs(held, forward) == [FEW]


@pytest.mark.parametrize(("held", "forward"), NOT_COUNTED)
def test_a_layer_has_no_sign_where_its_axes_are_not_seen(held: str, forward: str) -> None:
    assert _signs(held, forward) == [frozenset()]


def test_what_is_nothing_of_a_network_stays_without_a_sign() -> None:
    text = "from torch import nn\ndrop = nn.Dropout2d()\ny = drop(x.view(-1, 4))\n"
    assert _of_text(text) == [frozenset()]
