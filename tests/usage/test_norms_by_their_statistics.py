"""What is asked for running statistics is a norm, whose weight and bias are read by any name."""

import pytest

from mindport.usage.project import Project

HEAD = "import torch\nfrom torch import nn\n\n"

FOUND = {
    # Arguments of a function that folds a norm into a convolution.
    "def f(conv, bn):\n    return conv.weight * bn.weight, bn.bias - bn.running_mean\n": {"weight", "bias"},
    "def f(net):\n    s = '层 🙂'; return net.bn.bias - net.bn.running_var\n": {"bias"},
    "def f(net):\n    bn = net[1]\n    w = bn.weight\n    return w / bn.running_var\n": {"weight"},
    "def f(net):\n    return net[1].weight, net[1].running_mean\n": {"weight"},
    # What a sequence keeps under a name.
    "def f(net):\n    if isinstance(net, nn.Sequential):\n        return net.bn.weight, net.bn.running_var\n": {
        "weight"
    },
}
LEFT = (
    "def f(conv, bn):\n    return conv.weight, bn.bias\n",
    # Of another value, or in another function.
    "def f(net):\n    return net.conv.weight, net.bn.running_mean\n",
    "def f(bn):\n    return bn.weight\n\ndef g(bn):\n    return bn.running_mean\n",
    # Assigned, and what is known to be something else.
    "def f(bn, w):\n    bn.weight = w\n    return bn.running_mean\n",
    "def f(weight, running_mean):\n    return weight, running_mean\n",
    "class Norm:\n    def f(self):\n        return self.weight - self.running_mean\n",
)


def norms_in(body):
    project = Project("/project")
    project.add("/project/fold.py", HEAD + body)
    uses = project.usage("/project/fold.py").uses
    return {use.api.rpartition(".")[2] for use in uses if "mixed" in use.signs}


@pytest.mark.parametrize(("body", "expected"), FOUND.items())
def test_a_parameter_beside_statistics_is_one_of_a_norm(body, expected):
    assert norms_in(body) == expected


@pytest.mark.parametrize("body", LEFT)
def test_others_are_left(body):
    assert not norms_in(body)
