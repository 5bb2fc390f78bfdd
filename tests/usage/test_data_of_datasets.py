"""What datasets of torchvision keep of their files: tensors in those of digits, arrays and lists in others."""

from __future__ import annotations

import pytest

from mindport.model.verdict import Confidence
from usage.marks import usage_of

OWN = """

class Part(datasets.{dataset}):
    def __init__(self, root):
        super().__init__(root)
        {statement}
"""
HELD = """

class Pairs:
    def __init__(self, root):
        self.dataset = datasets.{dataset}(root)
        {statement}
"""
HEAD = "import numpy as np\nfrom torchvision import datasets  # 数据 🔥\n"


def _clones(text: str) -> list[Confidence]:
    return [use.confidence for use in usage_of(HEAD + text).uses if use.api == "torch.Tensor.clone"]


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ('y = datasets.MNIST("data").targets.clone()', Confidence.PROVED),
        ('y = datasets.FashionMNIST("data").train_labels.clone()', Confidence.PROVED),
        (HELD.format(dataset="KMNIST", statement="self.x = self.dataset.data.clone()"), Confidence.PROVED),
        (OWN.format(dataset="MNIST", statement="self.targets = self.targets.clone()"), Confidence.INFERRED),
        (OWN.format(dataset="MNIST", statement="self.data = self.data[:9].clone()"), Confidence.INFERRED),
    ],
)
def test_digits_are_tensors(text: str, sure: Confidence) -> None:
    assert _clones(text) == [sure]


@pytest.mark.parametrize(
    "text",
    [
        'y = datasets.CIFAR10("data").data.clone()',
        'y = datasets.ImageFolder("data").targets.clone()',
        'y = datasets.SVHN("data").labels.clone()',
        OWN.format(dataset="MNIST", statement="self.targets = np.zeros(3)\n        y = self.targets.clone()"),
        OWN.format(dataset="CIFAR100", statement="y = self.data.clone()"),
    ],
)
def test_images_and_labels_of_others_are_none(text: str) -> None:
    assert all(one is Confidence.GUESSED for one in _clones(text))


@pytest.mark.parametrize("name", ["classes", "root", "transform", "train"])
def test_what_else_they_have_is_nothing_of_torch(name: str) -> None:
    assert Confidence.PROVED not in _clones(f'y = datasets.MNIST("data").{name}.clone()')
