"""An attribute of a network with a name of Cell's has another name in every file of the project that means it."""

from __future__ import annotations

import pytest

from mindport.checking.fixing import fix_paths

NETS = """from torch import nn


class Base(nn.Module):
    def __init__(self, phase):
        super().__init__()
        self.phase = phase
        self.part = nn.Linear(2, 2)


class Net(Base):
    def forward(self, x):
        return self.part(x) if self.phase == "train" else x


class Other(nn.Module):
    def forward(self, x):
        return x


class Loader:
    def __init__(self, phase):
        self.phase = phase


def build(phase):
    net = Net(phase)
    return net
"""


def fixed(line, folder, settings, target, nets=NETS):
    """The last line of a file that uses the networks of another one."""
    texts = {"nets.py": nets, "run.py": f"import nets\nfrom nets import Loader, Net, build\n\n\n{line}\n"}
    after = {one.path: one.after.text for one in fix_paths(folder(texts), settings, target, ".", unsafe=True)}
    assert after["nets.py"].count("self.phase_") == (2 if "self.phase_ = 1" not in nets else 1)
    return after["run.py"].partition("\n\n\n")[2].rstrip("\n")


@pytest.mark.parametrize(
    "line",
    [
        "net = build('train').cuda()\nnet.eval()\nnet.phase# = 'test'",
        "def test(net: Net):\n    net.phase#, x = 'test', net.phase#",
        "def test(net):\n    return net.phase#\n\n\ntest(nets.Net('test'))",
        "class Sub(Net):\n    def is_test(self):\n        return self.phase# == 'test'",
        "class Runner:\n    def __init__(self):\n        self.net = Net('train')\n\n"
        "    def test(self):\n        self.net.phase# = 'test'",
        "nets = [Net('train') for _ in range(2)]\nfor net in nets:\n    net.phase# += '😀'",
        "net = None\nif input():\n    net = build('train')\nprint(net.phase#)",
    ],
)
def test_where_the_project_tells_the_network(line, folder, settings, target):
    after = fixed(line.replace("#", ""), folder, settings, target)
    assert after == line.replace("#", "_").replace(".cuda()", "").replace("eval()", "set_train(False)")


@pytest.mark.parametrize(
    "line",
    [
        "loader = Loader('train')\nloader.phase = 'test'",
        "def test(args):\n    return args.phase",
        "other = nets.Other()\nprint(other.phase)",
        "either = Net('train') if input() else Loader('train')\nprint(either.phase)",
    ],
)
def test_what_is_no_such_attribute_stays(line, folder, settings, target):
    assert fixed(line, folder, settings, target) == line


def test_what_keeps_its_name_in_the_class_keeps_it_elsewhere(folder, settings, target):
    line = "net = Net('train')\nnet.phase = 'test'"
    nets = NETS.replace("        self.part =", "        self.phase_ = 1\n        self.part =")
    assert fixed(line, folder, settings, target, nets) == line


METHODS = """import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x

    def get_parameters(self, mode):
        return mode, list(self.parameters())
"""


@pytest.mark.parametrize(
    "line",
    [
        "net = Net()\nnet.get_parameters#('list')",
        "def save(net):\n    return net.get_parameters#(1)",  # nothing of torch has such a method
        "class Sub(Net):\n    def forward(self, x):\n        return x\n\n    def get_parameters#(self):\n"
        "        return super().get_parameters#(2)",
        "class Sub(Net):\n    def get_parameters#(self, lr=1.0):\n        return super().get_parameters#(lr) + ['😀']",
        "net = torch.load('net.pt')\nprint(net.get_parameters#(3))",
        "every = [Net.get_parameters#(net, 1) for net in nets]",
    ],
)
def test_methods_where_the_project_calls_them(line, folder, settings, target):
    before = f"import torch\nfrom net import Net\n\n\n{line.replace('#', '')}\n"
    texts = {"net.py": METHODS, "run.py": before}
    after = {one.path: one.after.text for one in fix_paths(folder(texts), settings, target, ".", unsafe=True)}
    assert "def get_parameters_(self, mode)" in after["net.py"]
    if "torch." not in line and "forward" not in line:
        assert line.replace("#", "_") in after["run.py"]
    assert line.replace("#", "_").rpartition("\n")[2] in after["run.py"]


def test_a_file_without_torch_derives_a_network(folder, settings, target):
    derived = "from net import Net\n\n\nclass Sub(Net):\n    def get_parameters(self):\n        return 1\n"
    texts = {"net.py": METHODS, "run.py": derived}
    after = {one.path: one.after.text for one in fix_paths(folder(texts), settings, target, ".", unsafe=True)}
    assert "def get_parameters_(self)" in after["run.py"]


@pytest.mark.parametrize(
    "line",
    [
        "def save(args):\n    return args.get_parameters",
        "class Reader:\n    def get_parameters(self):\n        return 1\n\n\nReader().get_parameters()",
        "class Reader:\n    def get_parameters(self):\n        return 1\n\n\nread = lambda one: one.get_parameters()",
    ],
)
def test_methods_of_others_stay(line, folder, settings, target):
    before = f"import torch\nfrom net import Net\n\n\n{line}\n"
    texts = {"net.py": METHODS, "run.py": before}
    after = {one.path: one.after.text for one in fix_paths(folder(texts), settings, target, ".", unsafe=True)}
    assert line in after["run.py"]
