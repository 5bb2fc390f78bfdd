"""Chains of two or three measured codes, drawn at random: each one's result is the next one's input."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from second_order.cases import Case
from second_order.reference import NoReference, reference

RESULT = "y"


class Draw(msgspec.Struct, frozen=True):
    """The cases of a chain, the code they make together, and what a worker needs to measure it."""

    parts: tuple[Case, ...]
    case: Case
    request: dict[str, Any]


def draw(cases: Sequence[Case], count: int, seed: int) -> Iterator[Draw]:
    """`count` chains that torch can differentiate twice; the same ones for the same cases and seed."""
    stream = random.Random(seed)
    usable = sorted((case for case in cases if _can_be_linked(case)), key=lambda case: case.id)
    seen: set[str] = set()
    while count:
        parts = tuple(stream.choice(usable) for _ in range(stream.choice((2, 3))))
        if sum("m = " in part.code for part in parts) > 1:  # weights are copied to one module only
            continue
        case = linked(parts)
        try:
            request = reference(case)
        except NoReference:  # most pairs do not fit: the shape, the range, nothing left to differentiate
            continue
        if case.id not in seen:
            seen.add(case.id)
            count -= 1
            yield Draw(parts, case, request)


def linked(parts: Sequence[Case]) -> Case:
    """One code of several, the first one's input in front."""
    return Case(
        torch=_linked([part.torch for part in parts]),
        code=_linked([part.code for part in parts]),
        inputs={"x": parts[0].inputs["x"]},
        apis=tuple(api for part in parts for api in part.apis),
    )


def _can_be_linked(case: Case) -> bool:
    """Whether it takes one tensor `x`, gives one `y`, and is one expression besides the module it may build."""
    return (
        list(case.inputs) == ["x"]
        and case.observe == RESULT
        and all(_bodies(code) is not None for code in (case.torch, case.code))
    )


def _bodies(code: str) -> tuple[list[ast.stmt], ast.expr] | None:
    """The statements before the last one, and the expression that the last one gives to `y`."""
    tree = ast.parse(code)
    *before, last = tree.body
    is_result = isinstance(last, ast.Assign) and ast.unparse(last.targets[0]) == RESULT
    simple = all(isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) == "m" for s in before)
    return (before, last.value) if is_result and simple and isinstance(last, ast.Assign) else None


def _linked(codes: Sequence[str]) -> str:
    before: list[str] = []
    after: list[str] = []
    for index, code in enumerate(codes):
        found = _bodies(code)
        assert found is not None
        before += [ast.unparse(statement) for statement in found[0]]
        name = RESULT if index == len(codes) - 1 else f"y{index}"
        source = "x" if index == 0 else f"y{index - 1}"
        after.append(f"{name} = {ast.unparse(_Renamed(source).visit(found[1]))}")
    return "\n".join([*before, *after])


class _Renamed(ast.NodeTransformer):
    """Puts another name in the place of the input."""

    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """The input's name."""
        return ast.Name(self._name, node.ctx) if node.id == "x" else node
