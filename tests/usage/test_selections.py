"""Sums, means and tests of what a mask selects are told from others: there may be no element."""

import pytest

from mindport.usage.project import Project

PATH = "/p/a.py"
CODE = """import torch


def f(x: torch.Tensor, y: torch.Tensor, i: int, n):  # 掩码 🙂
    {body}
"""


def is_selected(body: str) -> list[bool]:
    project = Project("/p")
    project.add(PATH, CODE.format(body=body))
    names = ("torch.Tensor.any", "torch.Tensor.sum", "torch.Tensor.mean", "torch.sum", "torch.mean")
    return ["selected" in use.signs for use in project.usage(PATH).uses if use.api in names]


@pytest.mark.parametrize(
    "body",
    [
        "return x[x > 0].sum()",
        "return torch.mean(x[~(y == 1)])",
        "return x[:, y > 0].mean()",
        "pos = y > 0; return torch.sum(x[pos])",
        "kept = x[y.bool()]; return kept.sum()",
        "return x[(y > 0) & (x < 1)].sum()",
        "return ((x[y > 0] - y[y > 0]) ** 2).sum()",
        "return torch.abs(x[y > 0] - 1).mean()",
        "return (x[y > 0] != y[y > 0]).any()",
        "kept = x[y.bool()]; return (-kept).exp().sum()",
        "return x.masked_select(y > 0).sum()",
        "kept = x[y > 0].view(-1, 4); return (kept - 1).abs().sum()",
        "kept = x[y > 0]; other = y[y > 0].float(); return torch.sum(other)",
        "return torch.masked_select(x, y > 0).mean()",
    ],
)
def test_what_a_mask_selects(body: str) -> None:
    assert is_selected(body) == [True]


@pytest.mark.parametrize(
    "body",
    [
        "return x.sum()",
        "return x[i].mean()",
        "return x[1:].sum()",
        "return torch.sum(x[y.long()])",
        "return (x > 0).sum()",
        "return (x * (x > 0)).sum()",
        "kept = x[1:]; return kept.sum()",
        "return x[n].sum()",
        "return (x[i] - y[i]).abs().sum()",
        "return x[y > 0].new_ones(3).sum()",
        "return len(x[y > 0]) * x.sum()",
        "return (x > 0).any()",
        "kept = x[y > 0].max(); return (kept * x).sum()",
        "kept = x[i].view(-1, 4); return kept.sum()",
    ],
)
def test_what_else_is_summed(body: str) -> None:
    assert is_selected(body) == [False]


EMPTY = "kept = torch.tensor([]); "


@pytest.mark.parametrize("body", ["return x.sum()", "return (x > 0).any()", "return torch.mean(x)"])
def test_a_file_that_makes_tensors_without_elements(body: str) -> None:
    assert is_selected(EMPTY + body) == [True]
    assert is_selected(body) == [False]


def test_other_functions_in_such_a_file() -> None:
    project = Project("/p")
    project.add(PATH, CODE.format(body=EMPTY + "return torch.nn.functional.kl_div(x, y)"))
    assert not any("selected" in use.signs for use in project.usage(PATH).uses)
