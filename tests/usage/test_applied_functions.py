"""A function that is handed to `apply` of a network is called with its modules, one that is handed to `filter` with the
items; other things have an `apply`, too."""

from __future__ import annotations

import pytest

from mindport.model.verdict import Confidence
from usage.marks import usage_of

HEADER = "import pandas as pd\nimport torch\nfrom torch import nn\n\ndef f(m):\n    m.weight.data.normal_(0, 1)\n\n"
OF_NETWORKS = [
    "nn.Linear(1, 2).apply(f)\n",
    "net = nn.ModuleList()\nnet.apply(f)\n",
    "class Net(nn.Module):\n    def __init__(self):\n        self.ups = nn.ModuleList()\n        self.ups.apply(f)\n",
    "class Net(nn.Module):\n    def __init__(self):\n        self.apply(f)\n",
    "class Net(nn.Module):\n    def __init__(self):\n        self.apply(f)\n"
    "    def apply(self, function):\n        return super().apply(function)\n",
    "class Layer(nn.Module):\n    def apply(self, other):\n        pass\n\n\nnn.Linear(1, 2).apply(f)\n",
]
OF_OTHERS = [
    "pd.DataFrame().apply(f)\n",
    "pd.DataFrame().apply(f, 1)\n",
    "apply(f)\n",
    "nn.Linear(1, 2).register(f)\n",
    # Modules with a method of their own of that name, which hands on what it wants.
    "class Layer(nn.Module):\n    def apply(self, other):\n        pass\n\n\nLayer().apply(f)\n",
    "class Layer(nn.Module):\n    def apply(self, other):\n        pass\n\n\n"
    "class Net(Layer):\n    def __init__(self):\n        self.apply(f)\n",
    "class Layer(nn.Module):\n    def apply(self, other):\n        pass\n\n\n"
    "def g(net):\n    net.eval()\n    net.parameters()\n    net.apply(f)\n",
]


def found(call: str) -> list[str]:
    """What is found in the function and more than guessed."""
    uses = usage_of(HEADER + call).uses
    return [one.api for one in uses if one.span.line == 6 and one.confidence is not Confidence.GUESSED]


@pytest.mark.parametrize("call", OF_NETWORKS)
def test_its_parameter_is_a_module(call: str) -> None:
    assert found(call) == ["torch.Tensor.data", "torch.Tensor.normal_"]


@pytest.mark.parametrize("call", OF_OTHERS)
def test_its_parameter_is_not_known(call: str) -> None:
    assert found(call) == []


PARAMETERS = "net.parameters()"
WITH_ITEMS = [
    ("filter(lambda p: p.requires_grad, {})", PARAMETERS),
    ("list(map(lambda p: p.requires_grad, {}))", PARAMETERS),
    ("sorted({}, key=lambda p: p.requires_grad)", PARAMETERS),
    ("max({}, key=lambda p: p.requires_grad)", "list(net.parameters())"),
    ("map(lambda p, q: p.requires_grad, {}, range(3))", PARAMETERS),
]
WITH_OTHERS = [
    ("filter(lambda p: p.requires_grad, {})", "net"),
    ("sorted({}, key=lambda p: p.requires_grad)", "net"),
    ("other.filter(lambda p: p.requires_grad, {})", PARAMETERS),
]


def signs(call: str) -> list[bool]:
    uses = usage_of(f"import torch\n\ndef g(net, other):\n    return {call}\n").uses
    return ["parameter" in one.signs for one in uses if one.api == "torch.Tensor.requires_grad"]


@pytest.mark.parametrize(("call", "items"), WITH_ITEMS)
def test_it_is_called_with_the_items(call: str, items: str) -> None:
    assert signs(call.format(items)) == [True]


@pytest.mark.parametrize(("call", "items"), WITH_OTHERS)
def test_the_items_are_not_known(call: str, items: str) -> None:
    assert signs(call.format(items)) == [False]
