"""A piece of a text with what stands there afterwards, and where nodes of the syntax tree stand."""

from __future__ import annotations

import ast

import msgspec

from mindport.source.lines import LineIndex


class TextEdit(msgspec.Struct, frozen=True, order=True):
    """Replaces the text between two offsets."""

    start: int
    end: int
    new: str


def start_of(node: ast.expr | ast.stmt | ast.arg, lines: LineIndex) -> int:
    """The offset of the first character of a node."""
    return lines.line_start(node.lineno) + lines.column_of_byte(node.lineno, node.col_offset)


def end_of(node: ast.expr | ast.stmt | ast.arg, lines: LineIndex) -> int:
    """The offset behind the last character of a node."""
    line = node.end_lineno or node.lineno
    return lines.line_start(line) + lines.column_of_byte(line, node.end_col_offset or 0)
