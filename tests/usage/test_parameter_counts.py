"""Networks in, numbers of parameters out; `None` where they cannot be known. The numbers of the layers are torch's own,
looked up once with torch 2.13."""

from __future__ import annotations

from textwrap import dedent

import pytest

from mindport.usage.project import Project
from mindport.usage.recipe.built import Builder
from mindport.usage.recipe.code import Code
from mindport.usage.recipe.settings import ProjectSettings
from mindport.usage.recipe.values import Values

LAYERS = {
    "nn.Linear(3, 4)": 16,
    "nn.Linear(3, 4, bias=False)": 12,
    "nn.Conv2d(4, 8, 3, groups=2)": 152,
    "nn.Conv2d(4, 8, (1, 5), bias=False)": 160,
    "nn.Conv1d(in_channels=2, out_channels=2, kernel_size=3)": 14,
    "nn.ConvTranspose2d(4, 8, 2, groups=4)": 40,
    "nn.BatchNorm2d(7)": 14,
    "nn.BatchNorm2d(7, affine=False)": 0,
    "nn.InstanceNorm2d(7)": 0,
    "nn.LayerNorm((3, 4))": 24,
    "nn.LayerNorm(5, bias=False)": 5,
    "nn.GroupNorm(2, 6)": 12,
    "nn.Embedding(10, 3)": 30,
    "nn.PReLU()": 1,
    "nn.LSTM(4, 5, num_layers=2, bidirectional=True)": 1120,
    "nn.GRU(4, 5)": 165,
    "nn.GRUCell(4, 5)": 165,
    "nn.MultiheadAttention(8, 2)": 288,
    "nn.TransformerEncoderLayer(8, 2, 16)": 600,
    "nn.TransformerDecoderLayer(8, 2, 16)": 904,
    "nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.MaxPool2d(2))": 6,
    "nn.Linear(size, 4)": None,
    "nn.LazyLinear(4)": None,
    "nn.Sequential(thing(), nn.Linear(2, 2))": None,
}
NETS = {
    "loops, lists and conditions": (
        """
        class Net(nn.Module):
            def __init__(self, depth=3, width=4, bias=False):
                super().__init__()
                layers = [nn.Linear(2, width)]
                for i in range(depth):
                    layers.append(nn.Linear(width * 2 ** i, width * 2 ** (i + 1), bias=bias))
                self.layers = nn.Sequential(*layers)
                self.norms = nn.ModuleList([nn.LayerNorm(width) for _ in range(depth) if width > 1])
                if not bias:
                    self.scale = nn.Parameter(torch.ones(width, 1))
        net = Net(depth=2)
        """,
        2 * 4 + 4 + 4 * 8 + 8 * 16 + 2 * 8 + 4,
    ),
    "functions, bases and settings": (
        """
        class Config:
            def __init__(self):
                self.width = 6
        def block(inputs, outputs):
            return nn.Sequential(nn.Conv2d(inputs, outputs, 3, bias=False), nn.BatchNorm2d(outputs))
        class Base(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.stem = block(3, width)
        class Net(Base):
            def __init__(self, config):
                super(Net, self).__init__(config.width)
                self.head = self.make_head(config.width)
            def make_head(self, width):
                return nn.Linear(width, 2)
        net = Net(Config())
        """,
        3 * 6 * 9 + 12 + 14,
    ),
    "shared weights count once": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.table = nn.Embedding(10, 4)
                self.out = nn.Linear(4, 10, bias=False)
                self.out.weight = self.table.weight
        net = Net()
        """,
        40,
    ),
    "copies count each": (
        """
        import copy
        class Net(nn.Module):
            def __init__(self, layer, n):
                super().__init__()
                self.layers = nn.ModuleList([copy.deepcopy(layer) for i in range(n)])
        net = Net(nn.Linear(1, 1), 3)
        """,
        6,
    ),
    "a layer of another library": (
        """
        from elsewhere import Attention
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.Linear(1, 1)
                self.b = Attention(4)
        net = Net()
        """,
        None,
    ),
    "a condition that only a run knows": (
        """
        import os
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.Linear(1, 1)
                if os.environ.get("BIG"):
                    self.b = nn.Linear(1, 1)
        net = Net()
        """,
        None,
    ),
    "settings that contradict each other": (
        """
        class Small:
            width = 2
        class Large:
            width = 4
        class Net(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.a = nn.Linear(config.width, 1)
        net = Net(load())
        """,
        None,
    ),
    "a network without end": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Net()
        net = Net()
        """,
        None,
    ),
    "a constructor that returns early, and one inside it": (
        """
        class Part(nn.Module):
            def __init__(self, extra=False):
                super().__init__()
                self.a = nn.Linear(1, 1)
                if not extra:
                    return
                self.b = nn.Linear(9, 9)
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.part = Part()
                self.c = nn.Linear(1, 1)
        net = Net()
        """,
        4,
    ),
    "parts under names that only a run knows": (
        """
        import os
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.add_module(os.environ["A"], nn.Linear(1, 1))
                self.add_module(os.environ["B"], nn.Linear(1, 1))
        net = Net()
        """,
        None,
    ),
    "a dictionary with names that only a run knows": (
        """
        import os
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.ModuleDict({os.environ["A"]: nn.Linear(1, 1), os.environ["B"]: nn.Linear(1, 1)})
        net = Net()
        """,
        None,
    ),
    "a loop that is left, rounds that are skipped, cases": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                layers = []
                for i in range(5):
                    if i == 2:
                        break
                    layers.append(nn.Linear(10, 10))
                for i in range(5):
                    if i % 2:
                        continue
                    layers.append(nn.Linear(2, 2))
                match len(layers):
                    case 5:
                        layers.append(nn.Linear(3, 3))
                    case _:
                        raise ValueError(layers)
                try:
                    layers.append(nn.Linear(int("no number"), 1))
                except ValueError:
                    pass
                finally:
                    layers.append(nn.Linear(1, 1))
                self.layers = nn.Sequential(*layers)
        net = Net()
        """,
        2 * 110 + 3 * 6 + 12 + 2,
    ),
    "parts that are set by methods of Python's": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                for i in range(3):
                    self.__setattr__("level_%d" % i, nn.Linear(i + 1, 1))
                setattr(self, "head", nn.Linear(3, 1))
        net = Net()
        """,
        2 + 3 + 4 + 4,
    ),
    "an attribute that is asked for in a try": (
        """
        class Wrapped(nn.Module):
            def __init__(self, module):
                super().__init__()
                self.module = module
                if not self.is_made():
                    self.scale = nn.Parameter(torch.ones(3))
            def is_made(self):
                try:
                    getattr(self.module, "weight" + "_u")
                    return True
                except AttributeError:
                    return False
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = Wrapped(nn.Linear(1, 1))
        net = Net()
        """,
        None,
    ),
    "names that are not ASCII": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.层 = nn.Linear(4, 4)  # 一层 🙂
        net = Net()
        """,
        20,
    ),
    "layers under a condition that nobody knows": (
        """
        import os
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.Linear(1, 1) if os.environ.get("WIDE") else nn.Linear(1, 2)
        net = Net()
        """,
        None,
    ),
    "a loop without end": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.ModuleList([nn.Linear(1, 1) for i in range(10 ** 9)])
        net = Net()
        """,
        None,
    ),
}


def counted(text: str) -> int | None:
    text = "import torch\nimport torch.nn as nn\n" + dedent(text)
    project = Project("/p")
    project.add("/p/train.py", text)
    code = Code({"train.py": (text, project.usage("/p/train.py"))})
    values = Values(code, ProjectSettings(code, {}))
    ((file, call),) = [pair for pair in values.mentions.callers("Net") if file_level(pair[1])]
    network = Builder(code, values).made_by(file, call)
    return None if network is None else network.parameters


def file_level(call: object) -> bool:
    return getattr(call, "col_offset", 0) == len("net = ")


@pytest.mark.parametrize("layer", LAYERS)
def test_layers(layer: str) -> None:
    start = "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    net = f"{start}        self.a = {layer}\nnet = Net()\n"
    assert counted(net) == LAYERS[layer]


@pytest.mark.parametrize("name", NETS)
def test_networks(name: str) -> None:
    text, expected = NETS[name]
    assert counted(text) == expected
