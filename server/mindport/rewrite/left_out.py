"""Statements that a conversion leaves out: settings that MindSpore has no use for, calls without an effect there."""

from __future__ import annotations

import ast

from mindport.model.span import Position, Span
from mindport.rewrite.removed_statements import removed_from_line
from mindport.rewrite.spans import span_of
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.usage.api_use import ApiUse, ResultUse

LEFT_OUT = "pass"
"""The whole template of a statement that is left out."""

_MOST_LINES = 20
# A value that is computed by anything else may do more than give a value.
_WITHOUT_EFFECT = (
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.expr_context,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
)


def statement_left_out(use: ApiUse, lines: LineIndex) -> tuple[Span, tuple[str, ...]] | None:
    """The span of the statement that is all about the use, an assignment or a call whose value nobody takes, and what
    stands there instead: nothing, or `pass` where a block might be left empty. None where its lines hold more than
    statements."""
    start = use.span.start
    before = lines.line_text(start.line)[: start.column]
    if before.strip() and not before.rstrip().endswith((";", ":")):
        return None
    if use.call is not None:
        end = use.call.span.end if use.result is ResultUse.DISCARDED else None
    else:
        end = _end_of_assignment(start, lines)
    if end is None:
        return None
    behind = lines.line_text(end.line)[end.column :].strip()
    if behind and not behind.startswith(("#", ";")):
        return None
    shared = removed_from_line(lines.offset(start), lines.offset(end), lines)
    if shared is not None:
        return lines.span(shared.start, shared.end), (shared.new,) if shared.new else ()
    if not before or not _opens_a_block(start.line, lines):
        if end.line < lines.line_count:
            return Span(start.line, 0, end.line + 1, 0), ()
        return Span(start.line, 0, end.line, len(lines.line_text(end.line))), (before and "pass",)
    return Span(start.line, start.column, end.line, end.column), ("pass",)


def _end_of_assignment(start: Position, lines: LineIndex) -> Position | None:
    """Where the assignment that begins at a place ends, if it only stores a value."""
    text = lines.line_text(start.line)[start.column :].rstrip("\r\n")
    for number in range(start.line, min(start.line + _MOST_LINES, lines.line_count) + 1):
        if number > start.line:
            text += "\n" + lines.line_text(number).rstrip("\r\n")
        try:
            statement = parse_tree(text).body[0]
        except SYNTAX_ERRORS:
            continue
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        if not all(isinstance(node, _WITHOUT_EFFECT) for node in every_node(statement.value)):
            return None
        end = span_of(statement, LineIndex(text)).end
        return Position(start.line + end.line - 1, end.column + (start.column if end.line == 1 else 0))
    return None


def _opens_a_block(line: int, lines: LineIndex) -> bool:
    """Whether the statement in the line may be the first of its block."""
    for number in range(line - 1, 0, -1):
        code = lines.line_text(number).partition("#")[0].strip()
        if code:
            return code.endswith(":")
    return True
