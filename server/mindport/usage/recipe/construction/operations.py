"""What operators and built-in functions give for values that are known."""

from __future__ import annotations

import ast
import copy
import math
import operator
from collections.abc import Callable
from typing import Any, TypeGuard

from mindport.usage.recipe.construction.objects import (
    UNKNOWN,
    ClassValue,
    FunctionValue,
    Module,
    Unknown,
    Weight,
)

_LONGEST = 10_000

_BINARY: dict[type[ast.operator], Callable[[Any, Any], object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda item, group: item in group,
    ast.NotIn: lambda item, group: item not in group,
}
BUILTINS: dict[str, Callable[..., object]] = {
    "int": int,
    "float": float,
    "round": round,
    "max": max,
    "min": min,
    "len": len,
    "abs": abs,
    "sum": sum,
    "bool": bool,
    "str": str,
    "list": list,
    "tuple": tuple,
    "dict": dict,
    "reversed": lambda items: list(reversed(items)),
    "zip": lambda *items: list(zip(*items, strict=False)),
    "enumerate": lambda items, start=0: list(enumerate(items, start)),
    "math.sqrt": math.sqrt,
    "math.ceil": math.ceil,
    "math.floor": math.floor,
    "math.log": math.log,
    "math.log2": math.log2,
    "math.prod": math.prod,
    "np.prod": math.prod,
    "copy.deepcopy": copy.deepcopy,
    "deepcopy": copy.deepcopy,
}


def applied(function: Callable[..., object] | None, *arguments: object, **keywords: object) -> object:
    """What a function gives; unknown for none, and where it fails."""
    if function is None:
        return UNKNOWN
    try:
        return function(*arguments, **keywords)
    except Exception:  # noqa: BLE001  the user's values decide what goes wrong here
        return UNKNOWN


def is_true(value: object) -> bool:
    """Whether a value that is known holds in a test."""
    return True if isinstance(value, Module | Weight | ClassValue | FunctionValue) else bool(value)


def is_iterated(
    value: object,
) -> TypeGuard[list[object] | tuple[object, ...] | range | dict[object, object]]:
    """Whether a loop goes over a value item by item here; very long ones are left."""
    return isinstance(value, list | tuple | range | dict) and len(value) <= _LONGEST


def unary(sign: ast.unaryop, value: object) -> object:
    """`not` and minus."""
    if isinstance(value, Unknown):
        return UNKNOWN
    if isinstance(sign, ast.Not):
        return not is_true(value)
    return -value if isinstance(sign, ast.USub) and isinstance(value, int | float) else UNKNOWN


def compared(sign: ast.cmpop, left: object, right: object) -> object:
    """One comparison."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return UNKNOWN
    return applied(_COMPARE.get(type(sign)), left, right)


def binary(sign: ast.operator, left: object, right: object) -> object:
    """Arithmetic; a weight keeps its size, and nothing gets very large."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return UNKNOWN
    if isinstance(left, Weight) or isinstance(right, Weight):
        weight, other = (left, right) if isinstance(left, Weight) else (right, left)
        return weight if isinstance(other, int | float) else UNKNOWN
    if isinstance(sign, ast.Pow):
        if (
            isinstance(left, int | float)
            and isinstance(right, int | float)
            and abs(left) < 1e6
            and abs(right) <= 64
        ):
            return applied(operator.pow, left, right)
        return UNKNOWN
    if (
        isinstance(left, list | tuple | str)
        and isinstance(right, int)
        and right * max(len(left), 1) > _LONGEST
    ):
        return UNKNOWN
    return applied(_BINARY.get(type(sign)), left, right)


def item(owner: object, key: object) -> object:
    """What stands in a sequence, mapping or module under a key."""
    if isinstance(owner, list | tuple | dict | str | range) and not isinstance(key, Unknown):
        return applied(operator.getitem, owner, key)
    if isinstance(owner, Module) and isinstance(key, int):
        parts = list(owner.parts.values())
        return parts[key] if -len(parts) <= key < len(parts) else UNKNOWN
    return UNKNOWN
