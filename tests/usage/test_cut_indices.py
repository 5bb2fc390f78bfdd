"""Scatters at indices that are a piece of a tensor are told from others: there may be more values than indices."""

import pytest

from mindport.usage.project import Project

PATH = "/p/a.py"
CODE = """import torch


def f(x: torch.Tensor, order: torch.Tensor, values: torch.Tensor, n):  # 索引 🙂
    {body}
"""


def is_cut(body: str) -> list[bool]:
    project = Project("/p")
    project.add(PATH, CODE.format(body=body))
    names = ("torch.scatter", "torch.Tensor.scatter", "torch.Tensor.scatter_", "torch.Tensor.scatter_add_")
    return ["cut" in use.signs for use in project.usage(PATH).uses if use.api in names]


@pytest.mark.parametrize(
    "body",
    [
        "return torch.scatter(x, 1, order[:, :n], values)",
        "return torch.scatter(x, dim=-1, index=order[:, n:], src=torch.ones(3, 4))",
        "x.scatter_(1, order[:n], values)",
        "first = order[..., :n]; return x.scatter(1, first, src=values)",
        "x.scatter_(1, order[:, :n], values[:, 1:])",
        "return x.scatter(src=values, index=order[:, 1:-1], dim=1)",
    ],
)
def test_pieces_are_found(body: str) -> None:
    assert is_cut(body) == [True]


@pytest.mark.parametrize(
    "body",
    [
        "return torch.scatter(x, 1, order, values)",
        "return x.scatter(1, order[0], values)",
        "return x.scatter(1, order[:, None], values)",
        "return x.scatter(1, order[:, :], values)",
        "x.scatter_(1, order[:, :n], values[:, :n])",
        "first = order[:n]; kept = values[:n]; x.scatter_(1, first, kept)",
        "x[:, :n].scatter_(1, order, values)",
        "x.scatter_add_(1, order[:, :n], values)",
    ],
)
def test_others_are_not(body: str) -> None:
    assert is_cut(body) == [False]
