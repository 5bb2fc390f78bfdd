"""Statements such as `x += y` that change a tensor which others have, written so that they do."""

from __future__ import annotations

import ast

from mindport.model.span import Span
from mindport.rewrite.pieces import Piece
from mindport.rewrite.spans import span_of
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_statements
from mindport.usage.api_use import ApiUse

_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_ATOMS = (ast.Name, ast.Attribute, ast.Constant, ast.Call, ast.Subscript)


def operand_changed(use: ApiUse, lines: LineIndex) -> tuple[Piece, ...] | None:
    """What stands instead of the statement; None where its target is no name."""
    source = lines.slice(use.span)
    try:
        (statement,) = parse_statements(source)
    except (ValueError, *SYNTAX_ERRORS):
        return None
    if not isinstance(statement, ast.AugAssign) or not isinstance(statement.target, ast.Name):
        return None
    sign = _SIGNS.get(type(statement.op))
    if sign is None:
        return None
    value = span_of(statement.value, LineIndex(source))
    start = use.span.start
    hole = Span(
        value.line + start.line - 1,
        value.column + (start.column if value.line == 1 else 0),
        value.end_line + start.line - 1,
        value.end_column + (start.column if value.end_line == 1 else 0),
    )
    name = statement.target.id
    if isinstance(statement.value, _ATOMS):
        return (f"{name}[()] = {name} {sign} ", hole)
    return (f"{name}[()] = {name} {sign} (", hole, ")")
