"""Which changes by an operator nobody reads afterwards, so that they were meant for a tensor of somebody else."""

from __future__ import annotations

import ast

import pytest

from mindport.usage.lost_changes import lost_changes


def lost_lines(body: str) -> list[int]:
    """The lines of the lost changes in a function of x and z, counted from its first statement."""
    (function,) = ast.parse("def f(x, z):\n" + "".join(f"    {line}\n" for line in body.splitlines())).body
    assert isinstance(function, ast.FunctionDef)
    return sorted(node.lineno - 1 for node in lost_changes(function.body, {"x": 0, "z": 1}))


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("x += 1", [1]),
        ("x *= z\nx += z\nx *= 1 - z", [1, 2, 3]),
        ("y = x.mean()\nx -= y\nreturn y", [2]),
        ("if z:\n    x += x.mean()", [2]),
        ("for _ in range(3):\n    x += z", [2]),
        ("for one in z:\n    one *= 2", [2]),
        ("for one, other in zip(x, z):\n    one *= 2\n    one += other", [2, 3]),
        ("x += 1\nz -= 1", [1, 2]),
        ("def g(y):\n    return y\nx += g(z)", [3]),
    ],
)
def test_changes_for_others_are_found(body: str, lines: list[int]) -> None:
    assert lost_lines(body) == lines


@pytest.mark.parametrize(
    "body",
    [
        "x += 1\nreturn x",
        "x = x.clone()\nx += 1",
        "y = x\ny += 1",  # a name of its own: nothing says what else has the tensor
        "total = 0\ntotal += x",
        "for _ in z:\n    y = x.mean()\n    x += y",  # read in the next turn
        "for one in z:\n    one *= 2\n    x.append(one)",
        "for one in z:\n    one *= 2\nreturn one",
        "for one in z:\n    pass\nfor one in z:\n    one += 1",
        "if z:\n    x += 1\nelse:\n    x.sum()",
        "global x\nx += 1",
        "def g():\n    return x\nx += 1\nreturn g",
        "x += 1\nreturn [x for _ in z]",
        "x.weight += 1\nx[0] += 1",
        "with z as x:\n    x += 1",
        "x: int = 1\nx += 1",
    ],
)
def test_other_changes_are_not(body: str) -> None:
    assert lost_lines(body) == []
