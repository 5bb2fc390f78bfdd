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
    "y = abs(x)": ("x",),
    "y = abs( x + z )[0]  # 位 🙂": ("x + z",),
    "y = abs(torch.fft.rfft(x)).mean(0)": ("torch.fft.rfft(x)",),
}
OTHERS = [
    "y = n >> 2", "y = x & z", "y = x > 2", "n <<= 1", "y = other << 'text'", "x[0] >>= 1", "y = abs(n)", "y = abs(-3)",
    "y = other.abs(n)", "y = list(map(abs, [n]))", "y = abs(*x)",
]  # fmt: skip


def calls(body: str) -> list[tuple[str, ...]]:
    project = Project("/project")
    text = f"{HEAD}    {body}\n"
    project.add("/project/module.py", text)
    lines = text.splitlines()
    return [
        tuple(lines[span.line - 1][span.column : span.end_column] for span in (use.receiver, *given))
        for use in project.usage("/project/module.py").uses
        if use.api.endswith(("shift__", "__abs__")) and use.call and use.receiver
        for given in [[argument.span for argument in use.call.arguments]]
    ]


@pytest.mark.parametrize("body", CALLS)
def test_the_operands_are_given(body: str) -> None:
    assert calls(body) == [CALLS[body]]


@pytest.mark.parametrize("body", OTHERS)
def test_what_stays_an_operator(body: str) -> None:
    assert calls(body) == []
