"""Statements such as `x += y` that change a tensor which others have, written so that they do."""

from __future__ import annotations

import ast

from mindport.model.span import Span
from mindport.rewrite.pieces import Piece
from mindport.rewrite.spans import span_of
from mindport.semantics.flow.operators import BINARY
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_statements
from mindport.source.written_names import dotted_name
from mindport.usage.api_use import ApiUse

# `@=` and the shifts stay as they are.
_LEFT = (ast.MatMult, ast.LShift, ast.RShift)
_SIGNS = {kind: one.sign for kind, one in BINARY.items() if kind not in _LEFT}
_SHORT = (ast.Name, ast.Attribute, ast.Constant, ast.Call, ast.Subscript)
_TIGHTER = (ast.Mult, ast.Div, ast.Pow, ast.MatMult)


def operand_changed(use: ApiUse, lines: LineIndex) -> tuple[Piece, ...] | None:
    """What stands instead of the statement that a use is; None where its target is no name."""
    source = lines.slice(use.span)
    try:
        (statement,) = parse_statements(source)
    except (ValueError, *SYNTAX_ERRORS):
        return None
    if not isinstance(statement, ast.AugAssign):
        return None
    value = span_of(statement.value, LineIndex(source))
    start = use.span.start
    hole = Span(
        value.line + start.line - 1,
        value.column + (start.column if value.line == 1 else 0),
        value.end_line + start.line - 1,
        value.end_column + (start.column if value.end_line == 1 else 0),
    )
    return into_operand(statement, hole, recorded=True)


def into_operand(
    statement: ast.AugAssign, value: Span, *, recorded: bool = False
) -> tuple[Piece, ...] | None:
    """`x[()] = x + y` for `x += y`, with y at `value` of the text; None where the target is no name, dotted or not.
    `recorded`: a gradient of y may need x as it was, so that a copy takes its place."""
    sign = _SIGNS.get(type(statement.op))
    name = ".".join(dotted_name(statement.target) or ())
    if sign is None or not name:
        return None
    right = statement.value
    old = f"{name}.copy()" if recorded and _is_needed(sign, right) else name
    is_tighter = isinstance(right, ast.BinOp) and isinstance(right.op, _TIGHTER) and sign in ("+", "-")
    if is_tighter or isinstance(right, _SHORT):
        return (f"{name}[()] = {old} {sign} ", value)
    return (f"{name}[()] = {old} {sign} (", value, ")")


def _is_needed(sign: str, right: ast.expr) -> bool:
    """Whether a gradient may be computed of the value that an operator changes."""
    return sign not in ("+", "-") and not (sign in ("*", "/") and isinstance(right, ast.Constant))
