"""Classes of Python's that stand for a dtype in a call of torch."""

from __future__ import annotations

import pytest
from converting import converted

HEAD = "import torch\nimport numpy as np\ndef f(x: torch.Tensor, kind):  # 中文 😀\n    "


def fixed(statement: str, head: str = HEAD) -> str:
    return converted(f"{head}{statement}\n", unsafe=True).splitlines()[-1].strip()


@pytest.mark.parametrize(
    ("statement", "written"),
    [
        ("y = torch.zeros(3, dtype=float)", "y = ops.zeros((3,), dtype=mindspore.float64)"),
        ("y = torch.tensor(1, dtype=bool)", "y = mindspore.tensor(1, dtype=mindspore.bool_)"),
        ("y = torch.ones(3, dtype=int)", "y = ops.ones((3,), dtype=mindspore.int64)"),
        ("y = x.to(float)", "y = x.to(mindspore.float64)"),
        ("y = x.type(int)", "y = x.type(mindspore.int64)"),
        ("y = x.sum(dtype=float)", "y = x.sum(dtype=mindspore.float64)"),
    ],
)
def test_they_are_written_as_the_dtype(statement: str, written: str) -> None:
    assert fixed(statement) == written


@pytest.mark.parametrize(
    "statement",
    [
        "y = np.zeros(3, dtype=float)",
        "y = x.dtype == float",
        "y = list(map(float, x))",
        "y = kind(dtype=int)",
    ],
)
def test_others_stay(statement: str) -> None:
    assert fixed(statement) == statement


def test_a_class_of_the_project_is_none() -> None:
    head = "import torch\nclass float: pass\n"
    assert "float64" not in fixed("y = torch.zeros(3, dtype=float)", head)
