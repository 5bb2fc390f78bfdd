"""Running statistics of a batch norm are told apart by whether the text changes them in place."""

from __future__ import annotations

import pytest

from mindport.usage.project import Project

PATH = "/project/norms.py"
HEAD = "import torch.nn as nn\n\nbn = nn.BatchNorm2d(3)\n"
CHANGED = [
    "bn.running_mean.zero_()",
    "bn.running_var.data.fill_(1)  # 层 🙂",
    "s = '层 🙂'; bn.running_mean.copy_(x)",
    "bn.running_mean[0] = 1",
    "bn.running_mean[:] = x",
    "bn.running_var.data[1:] *= 2",
]
READ = [
    "y = bn.running_mean",
    "y = bn.running_mean.clone()",
    "y = bn.running_mean[0] == 1",
    "y = bn.running_mean[0] + 1",
    "y = bn.running_mean.data.cpu()",
    "bn.running_mean = x",
    "bn.weight.zero_()",
    "bn.running_mean.requires_grad",
]


def signs(statement: str) -> list[bool]:
    project = Project("/project")
    project.add(PATH, HEAD + statement + "\n")
    names = ("running_mean", "running_var", "weight")
    return [
        "overwritten" in use.signs
        for use in project.usage(PATH).uses
        if use.api.startswith("torch.nn.BatchNorm2d.") and use.api.endswith(names)
    ]


@pytest.mark.parametrize("statement", CHANGED)
def test_changed_in_place(statement: str) -> None:
    assert signs(statement) == [True]


@pytest.mark.parametrize("statement", READ)
def test_only_read(statement: str) -> None:
    assert signs(statement) == [False]
