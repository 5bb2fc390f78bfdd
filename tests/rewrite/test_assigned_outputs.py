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
        ("torch.add(x, i, alpha=2, out=y)", "y = torch.add(x, i, alpha=2)"),
        ("torch.add(x, i, out=y, alpha=2)", "y = torch.add(x, i, alpha=2)"),
    ],
)
def test_a_variable_of_the_function(line: str, expected: str) -> None:
    text = FUNCTION.format(line=line)
    assert with_edits(text, assigned_outputs(text)) == FUNCTION.format(line=expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "torch.add(given.data, x, alpha=i, out=given.data)",
            "given.data.copy_(torch.add(given.data, x, alpha=i))",
        ),
        ("torch.mul(x, i, out=p.grad)  # 梯度", "p.grad.copy_(torch.mul(x, i))  # 梯度"),
        ("torch.clamp(given, 0, 1, out=given)", "given.copy_(torch.clamp(given, 0, 1))"),
        ("torch.maximum(given[i], x, out=given[i])", "given[i].copy_(torch.maximum(given[i], x))"),
        ("torch.max(s['大'], x, out=s['大'])", "s['大'].copy_(torch.max(s['大'], x))"),
        ("torch.clamp(self.mask, '🙂', out=self.mask)", "self.mask.copy_(torch.clamp(self.mask, '🙂'))"),
    ],
)
def test_a_tensor_of_the_same_size(line: str, expected: str) -> None:
    text = FUNCTION.format(line=line)
    assert with_edits(text, assigned_outputs(text)) == FUNCTION.format(line=expected)


KEPT = """import torch


class Bounds:
    def __init__(self, x, n):
        self.parts = [x.new(n, n), x.new()]  # 层 🙂
        self.whole = torch.zeros(n)
        self.none, y, z = None, x, [x]
        named = {"a": x.new(n), "b": torch.FloatTensor()}
        {line}
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("torch.eye(n, out=self.parts[0])  # 一", "self.parts[0].copy_(torch.eye(n))  # 一"),
        ("torch.mm(x, x, out=self.parts[1])", "self.parts[1] = torch.mm(x, x)"),
        ("torch.arange(n, out=self.whole)", "self.whole.copy_(torch.arange(n))"),
        ("torch.arange(n, out=named['a'])", "named['a'].copy_(torch.arange(n))"),
        ('torch.arange(n, out=named["b"])', "named['b'] = torch.arange(n)"),
        ("torch.arange(n, out=self.parts[2])", "torch.arange(n, out=self.parts[2])"),
        ("torch.arange(n, out=self.none)", "torch.arange(n, out=self.none)"),
        ("torch.arange(n, out=z[0])", "torch.arange(n, out=z[0])"),
        ("torch.arange(n, out=named[n])", "torch.arange(n, out=named[n])"),
        ("torch.arange(n, out=self.parts[n])", "torch.arange(n, out=self.parts[n])"),
    ],
)
def test_what_the_function_made_for_an_attribute_or_an_element(line: str, expected: str) -> None:
    text = KEPT.replace("{line}", line)
    assert with_edits(text, assigned_outputs(text)) == KEPT.replace("{line}", expected)


def test_another_name_of_torch() -> None:
    text = (
        "import torch as th\n\n\ndef f(x):\n    th.add(x.data, 1, out=x.data)\n    torch.add(x, 1, out=x)\n"
    )
    assert with_edits(text, assigned_outputs(text)) == text.replace(
        "th.add(x.data, 1, out=x.data)", "x.data.copy_(th.add(x.data, 1))"
    )


@pytest.mark.parametrize(
    "line",
    [
        "torch.add(x, i, out=given)",  # the caller has it, too
        "torch.add(x, i, out=y[0])",
        "torch.add(given[0], i, out=given[1])",
        "torch.add(given[next(i)], i, out=given[next(i)])",
        "z = torch.add(x, i, out=y)",
        "torch.add(x, i, **options, out=y)",
        "torch.max(x, 0, out=(y, i))",
        "torch.sum(x, 0, out=x[0])",
        "torch.sum(out=given.data)",
        "numpy.add(x, i, out=y)",
        "def g():\n        nonlocal y\n        torch.add(x, i, out=y)",
        "torch.add(x, i, out=y",
    ],
)
def test_what_stays(line: str) -> None:
    text = FUNCTION.format(line=line)
    assert assigned_outputs(text) == []
