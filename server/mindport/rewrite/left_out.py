"""Statements that a conversion leaves out: settings that MindSpore has no use for, calls without an effect there."""

from __future__ import annotations

import ast
import textwrap

from mindport.model.span import Span
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
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
    stands there instead: nothing, or `pass` where a block might be left empty. None where its lines hold more."""
    first = use.span.line
    before = lines.line_text(first)[: use.span.column]
    if before.strip():
        return None
    last = use.call.span.end_line if use.call is not None else first
    if use.call is not None:
        if use.result is not ResultUse.DISCARDED:
            return None
        column = use.call.span.end_column
    else:
        assignment = _assignment(first, lines)
        if assignment is None:
            return None
        last, column = assignment
    if lines.line_text(last)[column:].partition("#")[0].strip():
        return None
    if not before or not _opens_a_block(first, lines):
        if last < lines.line_count:
            return Span(first, 0, last + 1, 0), ()
        return Span(first, 0, last, len(lines.line_text(last))), (before and "pass",)
    return Span(first, use.span.column, last, column), ("pass",)


def _assignment(first: int, lines: LineIndex) -> tuple[int, int] | None:
    """Where the assignment that begins in the line ends, if it only stores a value."""
    text = ""
    for number in range(first, min(first + _MOST_LINES, lines.line_count) + 1):
        text += lines.line_text(number).rstrip("\r\n") + "\n"
        try:
            body = parse_tree(textwrap.dedent(text)).body
        except SYNTAX_ERRORS:
            continue
        if len(body) != 1 or not isinstance(body[0], ast.Assign) or len(body[0].targets) != 1:
            return None
        if not all(isinstance(node, _WITHOUT_EFFECT) for node in ast.walk(body[0].value)):
            return None
        code = lines.line_text(number).partition("#")[0].rstrip()
        return number, len(code)
    return None


def _opens_a_block(line: int, lines: LineIndex) -> bool:
    """Whether the statement in the line may be the first of its block."""
    for number in range(line - 1, 0, -1):
        code = lines.line_text(number).partition("#")[0].strip()
        if code:
            return code.endswith(":")
    return True
