"""Whether anything in code may make a shape vary: most code has nothing of the kind, and need not be run."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from mindport.semantics.domains.shapes.operators import COMPARISONS, COUNTS, RESULTS

# What a varying shape may come from, under all its names.
_OPERATORS = frozenset({
    *RESULTS, *COMPARISONS, "where", "item", "tolist", "one_hot", "repeat_interleave", "pad_sequence", "DataLoader",
    "__gt__", "__lt__", "__ge__", "__le__", "__eq__", "__ne__", "__invert__",
})  # fmt: skip
_FUNCTIONS = frozenset(("int", "float", "bool", "max"))
_MODULES = frozenset(("random", "np", "numpy"))
PYTHON = _FUNCTIONS | _MODULES
_CHOICES = (ast.If, ast.IfExp)
_LEAVES = frozenset(
    (str, int, float, type(None), ast.Name, ast.Constant, ast.Load, ast.Store, ast.arguments, ast.alias)
)


def may_vary(apis: Iterable[str], read: frozenset[str], has_tensors: bool, code: Iterable[ast.stmt]) -> bool:
    """Whether code that uses these names of torch, and reads these of Python's functions and modules from outside, may
    have a varying shape. `has_tensors`: it has annotated ones, whose values may decide by themselves."""
    if any(api.rpartition(".")[2] in _OPERATORS for api in apis):
        return True
    return bool(read or has_tensors) and _decides(list(code), has_tensors, apis)


def _decides(waiting: list[Any], has_tensors: bool, apis: Iterable[str]) -> bool:
    """Whether a function of Python's makes a number in code, one is drawn at random, or a tensor is a bound or test."""
    if any(api.rpartition(".")[2] in COUNTS for api in apis):
        return True
    while waiting:
        node = waiting.pop()
        kind = node.__class__
        if kind in _LEAVES:
            continue
        if kind is ast.Call and node.func.__class__ is ast.Name and node.func.id in _FUNCTIONS:
            return True
        if kind is ast.Attribute and (node.attr == "random" or getattr(node.value, "id", "") == "random"):
            return True
        if (has_tensors and kind in _CHOICES) or (kind is ast.Slice and _is_bounded(node)):
            return True
        for part in node.__dict__.values():
            if part.__class__ is list:
                waiting += part
            elif part.__class__ not in _LEAVES:
                waiting.append(part)
    return False


def _is_bounded(node: ast.Slice) -> bool:
    return any(
        one is not None and not isinstance(one, ast.Constant) for one in (node.lower, node.upper, node.step)
    )
