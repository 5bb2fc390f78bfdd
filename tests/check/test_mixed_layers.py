"""Weights of layers that may be of several classes are read under the name that each has for them."""

import pytest
from converting import converted

TEXT = "from torch import nn\n\n\ndef init(m, other):\n{}"

MIXED = [
    (
        "    if isinstance(m, (nn.Linear, nn.Embedding)):\n        m.weight.data.normal_(0, 0.02)\n",
        "        torch_weight(m)[()] = ",
    ),
    (
        "    if isinstance(m, (nn.BatchNorm2d, nn.Linear)):\n        nn.init.constant_(m.weight, 2.0)\n",
        "        torch_weight(m)[:] = 2.0\n",
    ),
    (
        "    if isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):\n        nn.init.constant_(m.bias, 0.0)\n",
        "        torch_bias(m)[:] = 0.0\n",
    ),
    (
        "    if isinstance(m, (nn.BatchNorm2d, nn.BatchNorm3d)):\n        nn.init.constant_(m.weight, 2.0)\n",
        "        torch_weight(m)[:] = 2.0\n",
    ),
    (
        "    if isinstance(m, nn.modules.batchnorm._BatchNorm):\n        m.bias.data.zero_()\n",
        "        torch_bias(m)[()] = 0\n",
    ),
    (
        "    if isinstance(m, (nn.Conv2d, nn.PReLU)):\n        nn.init.constant_(m.weight, 2.0)  # 🙂\n",
        "        torch_weight(m)[:] = 2.0  # 🙂\n",
    ),
    (
        "    if type(m) in (nn.Conv2d, nn.Embedding) and m.weight.shape[0] == 5:\n        return m.bias\n",
        " and torch_weight(m).shape[0] == 5:\n        return torch_bias(m)\n",
    ),
]
OF_ONE_KIND = [
    ("    if isinstance(m, (nn.Linear, nn.Conv2d)):\n        return m.weight\n", "return m.weight\n"),
    ("    if isinstance(m, (nn.BatchNorm2d, nn.LayerNorm)):\n        return m.weight\n", "return m.gamma\n"),
    ("    if isinstance(m, nn.Embedding):\n        return m.weight\n", "return m.embedding_table\n"),
    ("    if isinstance(m, nn.PReLU):\n        return m.weight\n", "return m.w\n"),
    (
        "    if isinstance(m, (nn.Linear, nn.Embedding)):\n        return other.weight\n",
        "return other.weight\n",
    ),
    ("    if m in (nn.Linear, nn.Embedding):\n        return m.weight\n", "return m.weight\n"),
]


@pytest.mark.parametrize(("before", "after"), MIXED)
def test_names_that_are_not_right_for_all(before, after):
    once = converted(TEXT.format(before))
    assert after in once
    assert converted(once) == once


@pytest.mark.parametrize(("before", "after"), OF_ONE_KIND)
def test_one_name_that_is_right_for_all(before, after):
    once = converted(TEXT.format(before))
    assert once.endswith(after)
    assert "torch_weight" not in once


ALL = "from torch import nn\n\n\nclass Net(nn.Module):\n    def init(self):\n{}"
OF_ANY_CLASS = [
    (
        "        for m in self.modules():\n            print(m.weight, '😀')\n",
        "print(torch_weight(m), '😀')\n",
    ),
    (
        "        for _, m in self.named_modules():\n            x = hasattr(m, 'bias')  # 中文\n",
        "x = torch_bias(m) is not None  # 中文\n",
    ),
    (
        "        x = [m.weight for m in self.modules() if hasattr(m, 'weight')]\n",
        "x = [torch_weight(m) for m in (cell for _, cell in self.cells_and_names()) if torch_weight(m) is not None]\n",
    ),
    (
        "        x = sum(m.bias is None for k, m in self.named_modules() if 'bn' in k)\n",
        "x = sum(torch_bias(m) is None for k, m in self.cells_and_names() if 'bn' in k)\n",
    ),
    (
        "        x = [m.weight for m in self.modules() if isinstance(m, nn.Linear)]\n",
        "x = [m.weight for m in (cell for _, cell in self.cells_and_names()) if isinstance(m, nn.Dense)]\n",
    ),
    (
        "        for k, m in self.named_modules():\n            if isinstance(m, nn.BatchNorm2d) or 'bn' in k:\n"
        "                x = m.weight\n",
        "x = torch_weight(m)\n",
    ),
    (
        "        for m in self.modules():\n            if isinstance(m, nn.Conv2d):\n                x = m.bias\n"
        "            else:\n                y = m.bias\n",
        "y = torch_bias(m)\n",
    ),
    (
        "        for k, m in self.named_children():\n            print(m.weight)\n",
        "            print(torch_weight(m))\n",
    ),
    (
        "        for m in self.children():\n            print(m.bias)\n",
        "            print(torch_bias(m))\n",
    ),
    (
        "        print(getattr(self, f'norm{1}').weight, '😀')\n",
        "print(torch_weight(getattr(self, f'norm{1}')), '😀')\n",
    ),
    (
        "        m = getattr(self, 'norm' + str(1))\n        print(m.bias)\n        x = m.weight\n",
        "        print(torch_bias(m))\n        x = torch_weight(m)\n",
    ),
]
OF_KNOWN_CLASS = [
    (
        "        for m in self.modules():\n            if isinstance(m, nn.BatchNorm2d) and m.affine:\n"
        "                x = m.weight\n",
        "x = m.gamma\n",
    ),
    ("        for m in self.modules():\n            m.weight = None\n", "m.weight = None\n"),
    ("        getattr(self, self.name).weight = None\n", "getattr(self, self.name).weight = None\n"),
    ("        x = getattr(self, 'first').weight\n", "x = getattr(self, 'first').weight\n"),
    ("        x = getattr(self, self.name, None).weight\n", "x = getattr(self, self.name, None).weight\n"),
    (
        "        m = getattr(self, self.name)\n        m = nn.Linear(1, 2)\n        x = m.weight\n",
        "x = m.weight\n",
    ),
    (
        "        m = getattr(self, self.name)\n        if isinstance(m, nn.Linear):\n            x = m.weight\n",
        "x = m.weight\n",
    ),
    ("        for k, m in self.layers.items():\n            x = m.weight\n", "x = m.weight\n"),
    ("        for m in self.parameters():\n            x = m.weight\n", "x = m.weight\n"),
    (
        "        for m in self.modules():\n            x = m.other, self.weight\n",
        "x = m.other, self.weight\n",
    ),
    ("        for m in layers(self):\n            x = hasattr(m, 'weight')\n", "x = hasattr(m, 'weight')\n"),
]


@pytest.mark.parametrize(("before", "after"), OF_ANY_CLASS)
def test_all_layers_of_a_network(before, after):
    once = converted(ALL.format(before))
    assert after in once
    assert converted(once) == once


@pytest.mark.parametrize(("before", "after"), OF_KNOWN_CLASS)
def test_layers_of_one_class_and_what_are_no_layers(before, after):
    once = converted(ALL.format(before))
    assert after in once
    assert "torch_weight" not in once


def test_a_function_that_is_applied_to_all_layers():
    text = (
        "def f(m):\n    print(m.weight)\n\n\ndef g(m):\n    print(m.weight)\n\n\nnn.Linear(2, 2).apply(f)\n"
    )
    once = converted(f"from torch import nn\n\n\n{text}")
    assert once.count("print(torch_weight(m))") == once.count("print(m.weight)") == 1


HELD = """from torch import nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(n):
            self.layers.append(nn.{first}(3, 3, 3))
            self.layers.append(nn.{second}(3))
            self.layers.append(nn.ReLU())

    def look(self, i):
        for layer in self.layers:
            print(layer.{name})
        return self.layers[0].{name}, self.layers[i].{name}
"""


@pytest.mark.parametrize(
    ("first", "second", "name", "read"),
    [
        ("Conv2d", "BatchNorm2d", "weight", "torch_weight({})"),
        ("ConvTranspose2d", "LayerNorm", "bias", "torch_bias({})"),
        ("Bilinear", "BatchNorm1d", "weight", "torch_weight({})"),
        ("Conv2d", "PReLU", "weight", "torch_weight({})"),
        ("BatchNorm2d", "LayerNorm", "weight", "{}.gamma"),
        ("Conv2d", "Linear", "weight", "{}.weight"),
    ],
)
def test_layers_of_a_list(first, second, name, read):
    once = converted(HELD.format(first=first, second=second, name=name))
    assert f"print({read.format('layer')})" in once
    assert f"return {read.format('self.layers[0]')}, {read.format('self.layers[i]')}\n" in once
    assert converted(once) == once


@pytest.mark.parametrize(
    "made",
    [
        "nn.ModuleList([nn.Conv2d(3, 3, 3), nn.BatchNorm2d(3)])",
        "nn.Sequential(nn.Linear(3, 3), nn.LayerNorm(3))",
    ],
)
def test_layers_that_a_container_is_made_with(made):
    use = "        self.layers = {}\n        for i in range(2):\n            print(self.layers[i].weight)\n"
    once = converted(ALL.format(use.format(made)))
    assert "print(torch_weight(self.layers[i]))" in once
    assert converted(once) == once


@pytest.mark.parametrize(
    ("filled", "read"),
    [
        ("layers.append(nn.Conv2d(3, 3, 3))\nlayers.append(nn.PReLU())", "torch_weight(net[1])"),
        (
            "layers.append(nn.Conv2d(3, 3, 3))\nif n:\n    layers.append(nn.BatchNorm2d(3))",
            "torch_weight(net[1])",
        ),
        ("layers += [nn.Linear(3, 3)]\nlayers += [nn.LayerNorm(3)]", "torch_weight(net[1])"),
        ("layers.append(nn.LayerNorm(3))\nlayers.append(nn.BatchNorm2d(3))", "net[1].gamma"),
        ("layers.append(nn.Conv2d(3, 3, 3))\nlayers.append(nn.Linear(3, 3))", "net[1].weight"),
        (
            "layers.append(nn.Conv2d(3, 3, 3))\nlayers.append(nn.PReLU())\nlayers.append(other)",
            "torch_weight(net[1])",  # which is right for any other, too
        ),
    ],
)
@pytest.mark.parametrize("made", ["list()", "[]"])
def test_a_list_that_is_filled_and_spread(made, filled, read):
    statements = f"layers = {made}\n{filled}\nnet = nn.Sequential(*layers)  # 层 🙂\nprint(net[1].weight)"
    indented = "\n".join(f"        {line}" for line in statements.split("\n"))
    once = converted(f"from torch import nn\n\n\nclass Net:\n    def init(self, n, other):\n{indented}\n")
    assert f"print({read})" in once
    assert converted(once) == once


@pytest.mark.parametrize(
    ("called", "read"),
    [
        ("net.apply(f)\nf(nn.BatchNorm2d(2))", "torch_weight(m)"),
        ("net.apply(f)\nf(nn.PReLU())", "torch_weight(m)"),
        ("f(nn.BatchNorm2d(2))", "m.gamma"),
        ("f(nn.Linear(2, 2))", "m.weight"),
    ],
)
def test_a_function_that_is_applied_and_called(called, read):
    net = "net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.PReLU())"
    text = (
        "import torch\nfrom torch import nn\n\n\ndef f(m):\n    if m.__class__.__name__.find('Conv') != -1:\n"
        f"        print(m.weight)\n\n\n{net}\n{called}\n"
    )
    once = converted(text)
    assert f"        print({read})\n" in once
    assert converted(once) == once
