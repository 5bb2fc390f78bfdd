"""Batch norms that a class with a forward of its own derives from are told apart from those that are only set up."""

from __future__ import annotations

import pytest

from mindport.usage.api_use import Form
from mindport.usage.project import Project

PATH = "/project/norms.py"
HEAD = "import torch.nn as nn\nfrom torch.nn import BatchNorm1d as Norm\n\n\n"
OWN = [
    "class A(nn.BatchNorm2d):\n    def forward(self, x):\n        return x * self.momentum\n",
    "class A(Norm):\n    eps = 1  # 层 🙂\n\n    def forward(self, x):\n        return self.running_mean + x\n",
    "class A(Mixin, nn.BatchNorm3d):\n    def forward(self, x):\n        return x\n",
    "def made():\n    class A(nn.BatchNorm2d):\n        def forward(self, x):\n            return x\n\n    return A\n",
    "class Outer:\n    class A(nn.BatchNorm2d):\n        def forward(self, x):\n            return x\n",
]
NOT_OWN = [
    "class A(nn.BatchNorm2d):\n    pass\n",
    "class A(nn.BatchNorm2d):\n    def __init__(self, n):\n        super().__init__(n, momentum=0.01)\n",
    "class A(nn.BatchNorm2d):\n    def backward(self, x):\n        return x\n\n\ndef forward(x):\n    return x\n",
    "class A(nn.BatchNorm2d):\n    pass\n\n\nclass B(A):\n    def forward(self, x):\n        return x\n",
    "class A(nn.BatchNorm2d):\n    def forward(self, x):\n        return super().forward(x) + 1\n",
    "class A(nn.InstanceNorm2d):\n    def forward(self, x):\n        return x\n",
    "class A(nn.Module):\n    norm = nn.BatchNorm2d\n\n    def forward(self, x):\n        return self.norm(3)(x)\n",
]


def bases(text: str) -> list[bool]:
    """Of each base class and each batch norm, whether it has the sign."""
    project = Project("/project")
    project.add(PATH, HEAD + text)
    uses = [use for use in project.usage(PATH).uses if use.form in (Form.BASE_CLASS, Form.VALUE)]
    return ["forward" in use.signs for use in uses]


@pytest.mark.parametrize("text", OWN)
def test_a_forward_of_its_own(text: str) -> None:
    assert bases(text) == [True]


@pytest.mark.parametrize("text", NOT_OWN)
def test_none(text: str) -> None:
    assert not any(bases(text))


def test_an_edit_brings_and_takes_the_sign() -> None:
    project = Project("/project")
    signs = []
    for text in (NOT_OWN[0], OWN[0], NOT_OWN[0]):
        project.add(PATH, HEAD + text)
        uses = project.usage(PATH).uses
        signs.append([("forward" in use.signs) for use in uses if use.form is Form.BASE_CLASS])
    assert signs == [[False], [True], [False]]
