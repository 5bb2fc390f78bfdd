"""Tensors of numbers that may count from the end, `x[numbers - 1]`: alone in brackets they read the right elements in
MindSpore, but no gradient comes to those."""

from __future__ import annotations

import ast
from collections.abc import Callable

from mindport.source.trees import every_node
from mindport.usage.masks import is_mask, is_of_bytes
from mindport.usage.types import GUESSED, Tag, Type, members

# Stands for the key of an index that is one tensor of numbers, where MindSpore's gradient is lost or refused.
ALONE = "-"
_MAKERS = frozenset(
    {"IntTensor", "LongTensor", "as_tensor", "fill_", "full", "full_like", "masked_fill", "tensor", "where"}
)
_KEEPING = frozenset(
    {
        "clone", "contiguous", "cpu", "cuda", "detach", "expand", "flatten", "int", "long", "repeat", "reshape",
        "squeeze", "to", "type", "unsqueeze", "view",
    }
)  # fmt: skip
_LEAST = frozenset({"amin", "min"})


def may_count_from_end(node: ast.expr, is_known: Callable[[str], bool]) -> bool:
    """Whether a number in the value may be below zero, as far as its form tells: what is taken from it, or written in
    it. `is_known` tells it of a name."""
    match node:
        case ast.Name(id=name):
            return is_known(name)
        case ast.BinOp(op=ast.Sub(), right=right):
            return not _is_least(right)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return not isinstance(operand, ast.Constant)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _KEEPING:
            return may_count_from_end(value, is_known)
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=arguments) if name in _MAKERS:
            return any(_is_below_zero(part) for argument in arguments for part in every_node(argument))
    return False


def is_alone(index: ast.expr, kind: Type) -> bool:
    """Whether an index of this type is one tensor for certain, and no mask."""
    return not isinstance(index, ast.Tuple) and all(
        one.tag is Tag.TENSOR and one.level > GUESSED and not (is_mask(one) or is_of_bytes(one))
        for one in members(kind)
    )


def _is_least(node: ast.expr) -> bool:
    """Whether this is the least of some values, without which those begin at zero."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _LEAST
        case ast.Subscript(value=value) | ast.Attribute(value=value):
            return _is_least(value)
    return False


def _is_below_zero(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
    )
