"""Operators that MindSpore has only functions for are calls that get the operands; others stay operators."""

import pytest

from mindport.usage.project import Project

HEAD = "import torch\n\n\ndef f(x: torch.Tensor, z: torch.Tensor, n: int, other):\n"
CALLS = {
    "y = x >> 2": ("x", "2"),
    "y = (x + z) << (n + 1)  # 位 🙂": ("x + z", "n + 1"),
    "y = n >> x": ("n", "x"),
    "y = 3 << x[0]": ("3", "x[0]"),
    "x >>= n": ("x", "n"),
    "other.kept = z\n    z <<= 1": ("z", "1"),
}
OTHERS = ["y = n >> 2", "y = x & z", "y = x > 2", "n <<= 1", "y = other << 'text'", "x[0] >>= 1"]


def calls(body: str) -> list[tuple[str, ...]]:
    project = Project("/project")
    text = f"{HEAD}    {body}\n"
    project.add("/project/module.py", text)
    lines = text.splitlines()
    return [
        tuple(lines[span.line - 1][span.column : span.end_column] for span in (use.receiver, *given))
        for use in project.usage("/project/module.py").uses
        if "shift__" in use.api and use.call and use.receiver
        for given in [[argument.span for argument in use.call.arguments]]
    ]


@pytest.mark.parametrize("body", CALLS)
def test_the_operands_are_given(body: str) -> None:
    assert calls(body) == [CALLS[body]]


@pytest.mark.parametrize("body", OTHERS)
def test_what_stays_an_operator(body: str) -> None:
    assert calls(body) == []
