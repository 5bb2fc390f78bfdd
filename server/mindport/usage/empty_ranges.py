"""Writes to ranges of several axes, of which one may have nothing in it, as in the masks of shifted windows:
`mask[:, h, w, :] = count` for `h` and `w` in some slices; and to columns of what may have no rows."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mindport.usage.types import SLICE, Type, members

# Stands for the key of such an index in conditions of mappings.
RANGES = "0:"


def writes_ranges(index: ast.expr, kinds: Sequence[Type]) -> bool:
    """Whether an index whose parts have these types takes ranges of several axes, one of which may be empty."""
    if not isinstance(index, ast.Tuple) or len(kinds) != len(index.elts):
        return False
    ranges = [part for part in zip(index.elts, kinds, strict=True) if _is_range(*part)]
    return len(ranges) > 1 and any(_may_be_empty(part) for part, _ in ranges)


def writes_to_columns(index: ast.expr) -> bool:
    """Whether an index takes all of the first axis, `x[:, 0] = 1`, or of all axes but the last: where a tensor has no
    rows, there is nothing to be written."""
    match index:
        case ast.Tuple(elts=[ast.Slice(lower=None, upper=None, step=None), *_, _]):
            return True
        case ast.Tuple(elts=[ast.Constant(value=first), *_, _]):
            return first is Ellipsis
    return False


def _is_range(part: ast.expr, kind: Type) -> bool:
    if isinstance(part, ast.Slice):
        return part.lower is not None or part.upper is not None
    return any(one is SLICE for one in members(kind))


def _may_be_empty(part: ast.expr) -> bool:
    """Whether nothing shows that a range has something in it: its bounds are computed, each for itself."""
    if not isinstance(part, ast.Slice):
        return True
    match part.lower, part.upper:
        case (_, None) | (None, _):
            return False
        case _, ast.BinOp(op=ast.Add(), left=left, right=right) if _same(part.lower, left, right):
            return False
        case _, ast.UnaryOp(op=ast.USub(), operand=operand) if _same(part.lower, operand):
            return False
        case lower, upper:
            return not _is_number(lower) and not _is_number(upper)


def _same(first: ast.expr, *others: ast.expr) -> bool:
    return ast.dump(first) in map(ast.dump, others)


def _is_number(node: ast.expr | None) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant)
