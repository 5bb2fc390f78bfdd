"""Operands of NumPy's beside a tensor, `x * array`: torch makes a tensor of both, or of the tensor and the number."""

from __future__ import annotations

import ast

from mindport.model.span import Span
from mindport.source.lines import LineIndex
from mindport.usage.types import ARRAY, NUMERIC, NUMPY_FLOAT, Tag, Type, members

# What stands in mappings for an operand that is an array for certain, and for a float.
_WHOLE_ARRAY, _FLOAT = "[]", "float"

# Of these torch makes numbers of what is true where an operand is an array.
_OF_TRUTH = frozenset({"__and__", "__or__", "__xor__", "__iand__", "__ior__", "__ixor__"})
# MindSpore takes a number of NumPy's for something else than a tensor: `x == n` is False as a whole.
_OF_LIKENESS = frozenset({"__eq__", "__ne__"})


def operands(node: ast.AST, name: str) -> tuple[ast.expr | None, ast.expr | None] | None:
    """The two operands, None for one that is changed in place. None where there is another number of them, or where
    torch makes no tensor of an array."""
    match node:
        case _ if name in _OF_TRUTH:
            return None
        case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
            return left, right
        case ast.AugAssign(value=value):
            return None, value
    return None


def of_numpy(kind: Type, is_right: bool, name: str) -> str | None:
    """What an operand beside a tensor is: `[]` an array, `float` a float, empty for either. None where it is
    none of NumPy's, or a number on the right, which the operators of a tensor take."""
    parts = members(kind)
    if not all(part.tag is Tag.NDARRAY or part.tag in NUMERIC for part in parts):
        return None
    arrays = [part for part in parts if part.tag is Tag.NDARRAY]
    if not arrays:
        return None
    if all(part is NUMPY_FLOAT for part in arrays):
        return None if is_right and name not in _OF_LIKENESS else _FLOAT
    if name == "__ne__" and kind is ARRAY:
        return None  # a plain truth value in torch, too
    return _WHOLE_ARRAY if kind is ARRAY else ""


def with_parentheses(operand: Span, lines: LineIndex) -> Span:
    """The place of an operand with the parentheses around it alone: the operator stands outside of them."""
    start, end = lines.offset(operand.start), lines.offset(operand.end)
    while True:
        opening, closing = _before(lines.text, start), _behind(lines.text, end)
        if lines.text[opening : opening + 1] != "(" or lines.text[closing : closing + 1] != ")":
            return lines.span(start, end)
        start, end = opening, closing + 1


def _before(text: str, start: int) -> int:
    return len(text[:start].rstrip()) - 1


def _behind(text: str, end: int) -> int:
    while text[end : end + 1].isspace():
        end += 1
    return end
