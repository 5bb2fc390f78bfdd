"""Truth values that a function computes with more than once are told from those that only choose, and from others."""

import pytest

from mindport.usage.project import Project

PATH = "/p/a.py"
CODE = """import torch


def f(x: torch.Tensor, y: torch.Tensor, n: int, unknown):  # 掩码 🙂
    {body}
"""


def counted(body: str) -> list[str]:
    project = Project("/p")
    text = CODE.format(body=body)
    project.add(PATH, text)
    lines = text.split("\n")
    uses = [use for use in project.usage(PATH).uses if use.api == "torch.Tensor.__gt__" and use.call]
    rows = [use for use in uses if use.call.arguments and use.call.arguments[0].value == "2*"]
    return [lines[one.span.line - 1][one.span.column : one.span.end_column] for one in rows]


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ("m = x > 0; return (x * m).sum() / m.sum()", "x > 0"),
        ("m = (x >= y); return x * m + m.float()", "(x >= y)"),
        ("m = (x < 0) & (y > 1); return torch.sum(m) + m.mean(1)", "(x < 0) & (y > 1)"),
        ("m = x.gt(0); return m.view(-1) * m[0]", "x.gt(0)"),
        ("一 = x <= n; return 一.to(x.dtype) + 一.unsqueeze(0) * x", "x <= n"),
        ("m, k = x > 0, 1; return (x * m).sum() / m.sum()", "x > 0"),
        ("m = x.abs() > 0.5; x += m; return x - m", "x.abs() > 0.5"),
    ],
)
def test_what_is_computed_with_twice(body: str, written: str) -> None:
    assert counted(body) == [written]


@pytest.mark.parametrize(
    "body",
    [
        "m = x > 0; return (x * m).sum()",
        "m = x > 0; return x[m].sum() + (x * 2)[m].mean() + (x * m).sum()",
        "m = x > 0; return torch.where(m, x, y) + torch.where(m, y, x)",
        "m = y == 1; return (x * m).sum() / m.sum()",
        "m = n > 0; return x * m + y * m",
        "m = unknown > 0; return n * m + m * 2",
        "m = x > 0 > n; return x * m + y * m",
        "m = (x > 0).float(); return (x * m).sum() / m.sum()",
        "m = n & 3; return x * m + y * m",
        "m = torch.stack([x > 0, y > 0]); return m.sum() + m.float()",
    ],
)
def test_what_only_chooses_or_is_no_mask_stays(body: str) -> None:
    assert counted(body) == []
