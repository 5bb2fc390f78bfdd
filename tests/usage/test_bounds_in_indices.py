"""Bounds of slices that have one axis with one element, and numbers in the brackets of lists of networks: torch takes
both as numbers."""

import pytest

from mindport.usage.project import Project

PATH = "/project/module.py"
HEAD = "import numpy as np\nimport torch\nfrom torch import nn\n\n\n"
ONE = [
    "    start = torch.randint(0, n, (1,))\n    return x[start : start + 4]\n",
    "    start = torch.randint(n, size=[1]).long().to(x.device)\n    return x[:, start:, None]\n",
    "    stop = torch.LongTensor([n])  # 中文 😀\n    x[:-stop] = 0\n",
    "    start, stop = n, torch.multinomial(x, 1)\n    return x[start:stop]\n",
    "    return x[: torch.zeros(1, 1, (1,)).int()]\n",
    "    return x[:, : n.long()]\n",  # nobody tells how many axes it has
    "    return x[..., -1 - n.int() :]\n",
]
NUMBERS = [
    "    start = torch.randint(0, n, (1,)).item()\n    return x[start : start + 4]\n",
    "    start = int(torch.randint(0, n, (1,)))\n    return x[start:]\n",
    "    start = torch.randint(0, n, ())\n    return x[start:]\n",
    "    start = torch.randint(0, n, (2,))\n    return x[: start[0]]\n",
    "    start = torch.randint(0, n, (1,))\n    return x[start]\n",  # it takes a row, and keeps the axis
    "    start = torch.LongTensor([[n]])\n    return x[: start.sum()]\n",
    "    return x[: x.sum().long(), n:]\n",
    "    return x[n.long()]\n",
    "    def inner():\n        s = torch.rand((1,))\n        return s\n    s = n\n    return x[s:]\n",
]
OF_NETWORKS = [
    "    for i in np.arange(n):\n        x = self.layers[i](x)\n",
    "    for i in torch.randperm(n):\n        x = self.layers[i](x)\n",
    "    x = self.layers[z.argmax()](x)  # 中文 😀\n",
    "    x = self.body[z[0]](x)\n",
]
OF_NUMBERS = [
    "    for i in range(n):\n        x = self.layers[i](x)\n",
    "    for i, layer in enumerate(self.layers):\n        x = self.layers[i - 1](layer(x))\n",
    "    x = self.layers[-1](self.body[0](x))\n",
    "    x = self.layers[z.item()](self.body[1:](x))\n",
    "    x = self.plain[z[0]](x)\n",
]


def keys(text: str, api: str) -> list[object]:
    project = Project("/project")
    project.add(PATH, HEAD + text)
    uses = [use for use in project.usage(PATH).uses if use.api == api and use.call and use.call.arguments]
    return [use.call.arguments[0].value or use.call.arguments[0].kind for use in uses]


def of_function(body: str) -> list[object]:
    return keys(f"def f(x: torch.Tensor, n: int):\n{body}", "torch.Tensor.__getitem__")


def of_network(body: str) -> int:
    text = (
        "class Net(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.layers = nn.ModuleList([nn.ReLU(), nn.Tanh()])\n"
        "        self.body = nn.Sequential(nn.ReLU(), nn.Tanh())\n"
        "        self.plain = [nn.ReLU(), nn.Tanh()]\n\n"
        "    def forward(self, x: torch.Tensor, z: torch.Tensor, n: int):\n"
        + "".join(f"    {line}\n" for line in body.splitlines())
        + "        return x\n"
    )
    return len(keys(text, "torch.nn.ModuleList.__getitem__") + keys(text, "torch.nn.Sequential.__getitem__"))


@pytest.mark.parametrize("body", ONE)
def test_a_bound_of_one_element_is_made_a_number(body):
    assert "1:" in of_function(body)


@pytest.mark.parametrize("body", NUMBERS)
def test_other_bounds_stay(body):
    assert "1:" not in of_function(body)


@pytest.mark.parametrize("body", OF_NETWORKS)
def test_what_is_no_number_of_python_is_made_one(body):
    assert of_network(body) == 1


@pytest.mark.parametrize("body", OF_NUMBERS)
def test_numbers_of_python_stay(body):
    assert of_network(body) == 0
