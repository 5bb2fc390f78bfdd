"""Truth values with a name that a function computes with more than once, `mask = x > 0`, `(x * mask).sum() /
mask.sum()`: MindSpore hands slopes on to them, and raises when it adds up two that are of truth values, too."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence

from mindport.source.trees import every_node

# Stands for the other operand of such a comparison in conditions of mappings.
COUNTED = "2*"

# What slopes go through on their way to a tensor of truth values.
_PASSED = frozenset(
    {
        "astype", "broadcast_to", "double", "expand", "expand_as", "flatten", "float", "half", "mean", "permute",
        "repeat", "reshape", "squeeze", "sum", "t", "to", "transpose", "type", "type_as", "unsqueeze", "view",
        "view_as",
    }
)  # fmt: skip
_ARITHMETIC = (ast.Add, ast.Div, ast.Mult, ast.Pow, ast.Sub)
_ORDER = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)
# Likeness is left out: what is compared by it are labels, which have no slopes.
_TESTS = frozenset(
    {"ge", "greater", "greater_equal", "gt", "isfinite", "isinf", "isnan", "le", "less", "less_equal", "lt"}
)


def may_give_mask(node: ast.expr) -> bool:
    """Whether an expression orders or tests values, as far as its form tells."""
    match node:
        case ast.Compare(ops=[op]):
            return isinstance(op, _ORDER)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr()):
            return True
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _TESTS
    return False


def counted_names(body: Sequence[ast.stmt]) -> frozenset[str]:
    """The names that a function computes with at more than one place in a way that slopes go through."""
    places: Counter[str] = Counter()
    for statement in body:
        for node in every_node(statement):
            places.update(one.id for one in _computed_with(node) if isinstance(one, ast.Name))
    return frozenset(name for name, count in places.items() if count > 1)


def _computed_with(node: ast.AST) -> tuple[ast.expr, ...]:
    match node:
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _ARITHMETIC):
            return left, right
        case ast.AugAssign(op=op, value=value) if isinstance(op, _ARITHMETIC):
            return (value,)
        case ast.Attribute(value=value, attr=name) if name in _PASSED:
            return (value,)
        case ast.Call(func=ast.Attribute(attr=name), args=[first, *_]) if name in _PASSED:
            return (first,)
        case ast.Subscript(value=value, ctx=ast.Load()):
            return (value,)
    return ()
