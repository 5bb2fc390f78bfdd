"""Layers that are found by going through all names of torch.nn: those whose names pass what is asked of them."""

from __future__ import annotations

import pytest

from mindport.usage.api_use import Form
from mindport.usage.project import Project

TEXT = "import torch.nn as nn\nname = 'Identity'  # 层 🙂\n{}\n"
NORMS = {"BatchNorm1d", "BatchNorm2d", "GroupNorm", "InstanceNorm3d", "LayerNorm", "RMSNorm", "SyncBatchNorm"}


def names_of(statement: str) -> set[str]:
    project = Project("/p")
    project.add("/p/a.py", TEXT.format(statement))
    (names,) = [set(use.names) for use in project.usage("/p/a.py").uses if use.form is Form.DYNAMIC]
    return names


@pytest.mark.parametrize(
    "statement",
    [
        "bn = tuple(v for k, v in nn.__dict__.items() if 'Norm' in k)",
        "bn = [k for k in nn.__dict__ if 'norm' in k.lower()]",
        "bn = {k: v for k, v in sorted(nn.__dict__.items()) if 'Norm' in k and isinstance(v, type)}",
        "for k in nn.__dict__.keys():\n    if 'Norm' in k:\n        print(k)",
        "def f():\n    return [v for k, v in nn.__dict__.items() if not 'Norm' not in k or k.endswith('Norm')]",
        "class A:\n    def f(self):\n        return [v for k, v in nn.__dict__.items() if 'Norm' in k]",
    ],
)
def test_norms(statement):
    found = names_of(statement)
    assert found >= NORMS
    assert all("norm" in name.lower() for name in found - {"Identity"})


@pytest.mark.parametrize(
    "statement",
    [
        "all_ = [v for v in nn.__dict__.items()]",
        "for k in nn.__dict__:\n    print(k)",
        "all_ = [v for k, v in nn.__dict__.items() if issubclass(v, nn.Module)]",
        "all_ = [v for k, v in nn.__dict__.items() if 'Norm' in other or wanted(k)]",
    ],
)
def test_all_layers_where_the_name_does_not_decide(statement):
    assert names_of(statement) >= NORMS | {"Linear", "ReLU", "Conv2d"}


@pytest.mark.parametrize(
    "statement",
    [
        "bn = nn.__dict__['Batch' + rest]",
        "bn = nn.__dict__.get(name)",
        "bn = getattr(nn, name)",
        "table = nn.__dict__.copy()",
    ],
)
def test_names_that_are_looked_up_are_those_of_strings(statement):
    assert names_of(statement) == {"Identity"}


def test_another_module_is_listed_by_its_strings():
    project = Project("/p")
    text = "import torchvision.models as models\nx = 'resnet18'\nall_ = [k for k in models.__dict__ if k.islower()]\n"
    project.add("/p/a.py", text)
    (names,) = [use.names for use in project.usage("/p/a.py").uses if use.form is Form.DYNAMIC]
    assert names == ("resnet18",)
