"""What a function of torch writes into a variable of its own is assigned to it; every other line stays."""

from __future__ import annotations

import pytest

from mindport.rewrite.assigned_outputs import assigned_outputs
from mindport.rewrite.text_edits import with_edits

FUNCTION = "import torch\n\n\ndef f(x, i, given):\n    y = x.new()  # 层 🙂\n    {line}\n    return y\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("torch.index_select(x, 0, i, out=y)", "y = torch.index_select(x, 0, i)"),
        ("torch.add(x, '🙂' and i, out=y)  # 加", "y = torch.add(x, '🙂' and i)  # 加"),
        ("torch.mm(x,\n        i,\n        out=y)", "y = torch.mm(x,\n        i)"),
    ],
)
def test_a_variable_of_the_function(line: str, expected: str) -> None:
    text = FUNCTION.format(line=line)
    assert with_edits(text, assigned_outputs(text)) == FUNCTION.format(line=expected)


@pytest.mark.parametrize(
    "line",
    [
        "torch.add(x, i, out=given)",  # the caller has it, too
        "torch.add(x, i, out=y[0])",
        "z = torch.add(x, i, out=y)",
        "torch.add(x, i, alpha=2, out=y)",
        "numpy.add(x, i, out=y)",
        "def g():\n        nonlocal y\n        torch.add(x, i, out=y)",
        "torch.add(x, i, out=y",
    ],
)
def test_what_stays(line: str) -> None:
    text = FUNCTION.format(line=line)
    assert assigned_outputs(text) == []
