"""Which gradients are limited that are more or less than an optimizer takes."""

from __future__ import annotations

import ast

import pytest

from mindport.usage.project import Project
from mindport.usage.stepped_networks import is_stepped_otherwise

STEP = "import torch\n\ndef train(net, optimizer):\n    net(1).sum().backward()  # 中文 😀\n    optimizer.step()\n"
HEAD = "import torch\nfrom torch import optim\n"


def stepped(*texts: str) -> frozenset[str]:
    project = Project("")
    project.add("train.py", STEP)
    for number, text in enumerate(texts):
        project.add(f"other_{number}.py", HEAD + text)
    return project.usage("train.py").beside_steps.stepped_networks


def is_otherwise(limited: str, *texts: str) -> bool:
    return is_stepped_otherwise(ast.parse(limited, mode="eval").body, stepped(*texts))


@pytest.mark.parametrize(
    ("limited", "text"),
    [
        ("net", "o = optim.Adam(net.head.parameters(), lr=0.1)"),
        ("self.net", "o = torch.optim.SGD(params=model.net.head.parameters())"),
        ("self", "class A:\n    def f(self):\n        self.o = optim.Adam(self.head.parameters())"),
        ("net", "o = optim.Adam([{'params': net.fc.parameters(), 'lr': 1}])"),
        ("net", "o = optim.Adam(filter(lambda p: p.requires_grad, net.module.fc.parameters()))"),
        ("net", "from torch.optim import AdamW\no = AdamW(list(net.fc.parameters()))"),
        ("net.head", "o = optim.Adam(net.parameters())"),
        ("self.net.head", "o = optim.Adam(model.net.parameters())"),
        ("self.encoder", "class A:\n    def f(self):\n        self.o = optim.Adam(self.parameters())"),
    ],
)
def test_more_or_less(limited: str, text: str) -> None:
    assert is_otherwise(limited, text)


@pytest.mark.parametrize(
    ("limited", "text"),
    [
        ("net", "o = optim.Adam(net.parameters(), lr=0.1)"),
        ("self.model", "o = optim.Adam(model.parameters(), lr=0.1)"),
        ("model", "class A:\n    def f(self):\n        self.o = optim.Adam(self.model.parameters())"),
        ("net", "o = optim.Adam(net.module.parameters())"),
        ("net.module", "o = optim.Adam(net.parameters())"),
        # Of several parts nobody knows whether they are all.
        ("net", "o = optim.Adam([{'params': net.a.parameters()}, {'params': net.b.parameters(), 'lr': 1}])"),
        ("net", "o = optim.Adam(list(net.a.parameters()) + list(net.b.parameters()))"),
        ("net", "o = optim.Adam(net.head.parameters())\np = optim.SGD(net.parameters())"),
        ("net.head", "o = optim.Adam(net.head.parameters())\np = optim.SGD(net.parameters())"),
        ("net", "o = optim.Adam(other.head.parameters())"),
        ("net", "o = optim.Adam([p for n, p in net.named_parameters() if 'b' in n])"),
        ("net", "o = Own(net.head.parameters())"),
        ("nets[0]", "o = optim.Adam(nets[0].head.parameters())"),
        ("net", ""),
    ],
)
def test_the_same_and_what_nobody_knows(limited: str, text: str) -> None:
    assert not is_otherwise(limited, text)


def test_edits() -> None:
    project = Project("")
    project.add("train.py", STEP)
    assert project.usage("train.py").beside_steps.stepped_networks == set()
    project.add("other.py", HEAD + "o = optim.Adam(net.head.parameters())")
    assert project.usage("train.py").beside_steps.stepped_networks == {"head", "net."}
    project.add("other.py", HEAD + "o = optim.Adam(net.parameters())")
    assert project.usage("train.py").beside_steps.stepped_networks == {"net"}
    project.remove("other.py")
    assert project.usage("train.py").beside_steps.stepped_networks == set()
