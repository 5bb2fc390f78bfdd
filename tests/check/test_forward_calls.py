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
