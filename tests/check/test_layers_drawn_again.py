"""Layers of which nobody knows the class are asked whether they can be drawn again, and drawn, as torch does it."""

import pytest
from converting import converted

TEXT = "import torch\nfrom torch import nn\n\nstart = torch.ones(3)\n\n\n{}"

DRAWN = [
    ("def reset(m):\n    if isinstance(m, nn.Conv2d) or isinstance(m, nn.Linear):\n        m.reset_parameters()\n",
     "        torch_reset_parameters(m)\n"),
    ("def reset(net):\n    for layer in net.children():\n        if hasattr(layer, 'reset_parameters'):\n"
     "            layer.reset_parameters()\n",
     "        if torch_parameter_reset(layer) is not None:\n            torch_reset_parameters(layer)\n"),
    ("def reset(m):\n    method = getattr(m, 'reset_parameters', None)\n    if callable(method):\n        method()\n",
     "    method = torch_parameter_reset(m)\n"),
    ("class Net(nn.Module):\n    def reset_parameters(self):\n        for norm in self.norms:\n"
     "            norm.reset_parameters()\n",
     "            torch_reset_parameters(norm)\n"),
    ("class Net(nn.Module):\n    def reset_parameters(self):\n        for name, layer in self.named_modules():\n"
     "            layer.reset_parameters()\n",
     "            torch_reset_parameters(layer)\n"),
    ("class Net(nn.Module):\n    def __init__(self, kind):\n        super().__init__()\n"
     "        self.layer = nn.Linear(2, 3)\n        self.layer.reset_parameters()\n",
     "        torch_reset_parameters(self.layer)\n"),
    ("class Net(nn.Module):\n    def __init__(self, kind):\n        super().__init__()\n"
     "        self.layer = kind(2, 3)\n\n    def reset_parameters(self):\n        self.layer.reset_parameters()\n",
     "        torch_reset_parameters(self.layer)\n"),
    ("def reset(net):\n    for m in net.modules():\n"
     "        if isinstance(m, nn.BatchNorm1d) or isinstance(m, nn.BatchNorm2d):\n            m.reset_parameters()\n",
     "            torch_reset_parameters(m)\n"),
    ("def reset(net):\n    for m in net.modules():\n        m.reset_parameters()\n",
     "        torch_reset_parameters(m)\n"),
]  # fmt: skip
STAY = [
    "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.reset_parameters()\n\n"
    "    def reset_parameters(self):\n        self.w = 1\n",
    "class Low(nn.Linear):\n    def reset_parameters(self):\n        super().reset_parameters()\n",
    "class Part(nn.Module):\n    def reset_parameters(self):\n        pass\n\n\nclass Net(nn.Module):\n"
    "    def __init__(self):\n        super().__init__()\n        self.part = Part()\n"
    "        self.part.reset_parameters()\n",
    "def ask(m):\n    return hasattr(m, 'reset_parameters_of')\n",
]


@pytest.mark.parametrize(("before", "after"), DRAWN)
def test_drawn_by_a_function(before, after):
    once = converted(TEXT.format(before))
    assert after in once
    assert "def torch_parameter_reset(layer):" in once
    assert converted(once) == once


@pytest.mark.parametrize("before", STAY)
def test_methods_of_the_project_stay(before):
    assert "torch_parameter_reset" not in converted(TEXT.format(before))


def test_code_without_torch_stays():
    text = "def reset(m):\n    if hasattr(m, 'reset_parameters'):\n        m.reset_parameters()\n"
    assert converted(text) == text
