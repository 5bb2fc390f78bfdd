"""Where a node of the syntax tree stands in its text."""

from __future__ import annotations

import ast

from mindport.model.span import Span
from mindport.source.lines import LineIndex


def span_of(node: ast.expr | ast.stmt, lines: LineIndex) -> Span:
    """The place of a node, in code points."""
    end_line = node.end_lineno or node.lineno
    return Span(
        node.lineno,
        lines.column_of_byte(node.lineno, node.col_offset),
        end_line,
        lines.column_of_byte(end_line, node.end_col_offset or 0),
    )


def start_of(node: ast.expr | ast.stmt | ast.alias | ast.arg | ast.keyword, lines: LineIndex) -> int:
    """The offset of the first character of a node."""
    return lines.line_start(node.lineno) + lines.column_of_byte(node.lineno, node.col_offset)


def end_of(node: ast.expr | ast.stmt | ast.alias | ast.arg, lines: LineIndex) -> int:
    """The offset behind the last character of a node."""
    line = node.end_lineno or node.lineno
    return lines.line_start(line) + lines.column_of_byte(line, node.end_col_offset or 0)


def written_of(node: ast.expr, lines: LineIndex) -> str:
    """A node as it is written."""
    return lines.text[start_of(node, lines) : end_of(node, lines)]
