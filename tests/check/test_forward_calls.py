"""What a converted network calls `forward` of is its own part, whose method is `construct` now."""

import pytest
from converting import converted

NETWORK = """import other
from torch import nn


class Net(nn.Module):
    def forward(self, x, layer, layers):
        return {call}
"""
PLAIN = "import torch\n\n\nclass Runner:\n    def run(self, net, x):\n        return torch.add({call}, 1)\n"


@pytest.mark.parametrize(
    "receiver",
    ["self", "super()", "self.net", "self.parts[0]", "layer", "layers[-1]", "self.net.encoder"],
)
def test_parts_of_a_network_are_called_by_construct(receiver):
    once = converted(NETWORK.format(call=f"{receiver}.forward(x)"))
    assert f"        return {receiver}.construct(x)\n" in once
    assert converted(once) == once


@pytest.mark.parametrize(
    "call",
    [
        "Function.forward(x)",
        "self.Function.forward(x)",
        "other.forward(x)",
        "other.part.forward(x)",
        "layer.forward",
        "layer.forwards(x)",
        "self.make().forward(x)",
    ],
)
def test_what_may_be_no_part_keeps_its_name(call):
    assert f"        return {call}\n" in converted(NETWORK.format(call=call))


def test_elsewhere_nobody_knows_what_it_is_called_of():
    assert "net.forward(x)" in converted(PLAIN.format(call="net.forward(x)"))


TRAINED = (
    "import torch\n\n\ndef run(net, x, s):\n    torch.optim.SGD(net.parameters(), s)\n    return {call}\n"
)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("net.forward(x, s)", "net.construct(x, s)"),
        ("net.forward(x, scale=s)", "net.construct(x, scale=s)"),
        ("net.forward(images=x)", "net.construct(images=x)"),
        ("s.forward(x, scale=s)", "s.forward(x, scale=s)"),
        ("net.forwards(x, scale=s)", "net.forwards(x, scale=s)"),
    ],
)
def test_a_network_that_somebody_else_wrote_takes_names_of_its_own(call, expected):
    assert converted(TRAINED.format(call=call), unsafe=True).endswith(f"    return {expected}\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("super().forward(x)", "super().construct(x)"),
        ("super(Layer, self).forward(x)", "super(Layer, self).construct(x)"),
        ("super().forward(*[x])", "super().construct(*[x])"),
        ("super().forward(**dict(input=x))", "super().construct(**dict(input=x))"),
        ("nn.Conv2d.forward(self, x)", "TorchConv2d.construct(self, x)"),
    ],
)
def test_a_layer_calls_the_one_it_derives_from(before, after):
    text = "from torch import nn\n\n\nclass Layer(nn.Conv2d):\n    def forward(self, x):\n"
    once = converted(f"{text}        return {before}\n")
    assert once.endswith(f"    def construct(self, x):\n        return {after}\n")
    assert converted(once) == once


@pytest.mark.parametrize("base", ["nn.Linear", "nn.Module"])
def test_a_mode_is_switched_by_way_of_the_class_it_derives_from(base):
    text = f"from torch import nn\n\n\nclass Layer({base}):\n    def train(self, mode=True):\n"
    once = converted(f"{text}        self.merged = not mode\n        return {base}.train(self, mode)\n")
    after = {"nn.Linear": "TorchLinear", "nn.Module": "nn.Cell"}[base]
    assert "    def set_train(self, mode=True):\n" in once
    assert once.endswith(f"        return {after}.set_train(self, mode)\n")
    assert converted(once) == once


def test_a_network_is_called_by_construct_where_it_is_known():
    once = converted(NETWORK.format(call="layer(x)") + "\n\nnet = Net()\nnet.forward(1, 2, 3)\n")
    assert once.endswith("\nnet.construct(1, 2, 3)\n")


@pytest.mark.parametrize(
    ("statement", "becomes"),
    [
        ("self.forward = self.trained", "self.construct = self.trained"),
        ("self.forward = net.forward", "self.construct = net.construct"),
        (
            "if net:\n            self.forward = partial(self.trained, k=2)  # 选择 🙂",
            "if net:\n            self.construct = partial(self.trained, k=2)  # 选择 🙂",
        ),
        ("self.forwards = self.trained", "self.forwards = self.trained"),
    ],
)
def test_a_network_chooses_what_is_run(statement, becomes):
    text = (
        "from functools import partial\nfrom torch import nn\n\n\nclass Base(nn.Module):\n    def forward(self, x):\n"
        "        return x\n\n\nclass Net(Base):\n    def __init__(self, net: Base):\n        super().__init__()\n"
        f"        {statement}\n\n    def trained(self, x, k=1):\n        return x\n"
    )
    once = converted(text)
    assert f"        {becomes}\n" in once
    assert converted(once) == once


def test_what_is_no_network_keeps_its_forward():
    text = (
        "import torch\n\n\nclass Car:\n    def __init__(self):\n        self.forward = self.drive\n\n"
        "    def drive(self):\n        return torch.ones(1)\n"
    )
    assert "self.forward = self.drive" in converted(text)
