"""Masks that are joined with other tensors are told from masks that are joined with masks."""

import pytest

from mindport.usage.project import Project

PATH = "/p/a.py"
CODE = """import torch


def f(x, mask, pad_mask, n):  # 掩码 🙂
    {body}
"""


def joined(body: str) -> list[bool]:
    project = Project("/p")
    project.add(PATH, CODE.format(body=body))
    return [
        "masks" in use.signs for use in project.usage(PATH).uses if use.api in ("torch.cat", "torch.concat")
    ]


@pytest.mark.parametrize(
    "body",
    [
        "return torch.cat([torch.zeros(n, 3), mask], dim=1)",
        "return torch.concat((mask[:, 1:], x))",
        "return torch.cat(tensors=[x, ~pad_mask.unsqueeze(1)], dim=-1)",
        "return torch.cat([self.mask.view(n, 1), torch.ones(n, 2)])",
    ],
)
def test_masks_with_others_are_found(body: str) -> None:
    assert joined(body) == [True]


@pytest.mark.parametrize(
    "body",
    [
        "return torch.cat([mask, pad_mask], dim=1)",
        "return torch.cat([x, x])",
        "return torch.cat([mask.float(), x])",
        "return torch.cat([torch.ones(n, 1).bool(), mask], 1)",
        "return torch.cat([mask, torch.zeros(n, 1, dtype=torch.bool)], 1)",
        "return torch.cat(mask, 1)",
        "return torch.cat([x > n, mask])",
    ],
)
def test_others_are_not(body: str) -> None:
    assert joined(body) == [False]
