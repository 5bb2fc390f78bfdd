"""Gives what stands in f-strings its lines and columns, which the parser often does not know before Python 3.12."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.source.changes import split_lines
from mindport.source.format_fields import format_fields
from mindport.source.trees import children, every_node

_PREFIX = re.compile(r"(?<!\w)[rR]?[fF][rR]?[\"']")


_DEBUGGING_SIGN = re.compile(r"(?<![=!<>])=\s*\Z")


def place_format_fields(tree: ast.AST, text: str) -> None:
    """Give the values in fields of f-strings the places where the text shows them. A value that is not
    found there gets the place of the whole string, which is no name's."""
    if _PREFIX.search(text) is None:
        return
    lines = [line.encode() for line in split_lines(text)]
    for literal in _outermost(tree):
        _place_in(literal, lines)


def _outermost(tree: ast.AST) -> Iterator[ast.JoinedStr]:
    waiting = [tree]
    while waiting:
        for child in children(waiting.pop()):
            if isinstance(child, ast.JoinedStr):
                yield child
            else:
                waiting.append(child)


def _place_in(literal: ast.JoinedStr, lines: list[bytes]) -> None:
    shown = _shown(literal, lines)
    values = [part for part in literal.values if isinstance(part, ast.FormattedValue)]
    fields = format_fields(shown) or []
    for number, part in enumerate(values):
        _at_whole(part, literal)
        if len(fields) == len(values):
            _place_value(part.value, shown, fields[number], literal)


def _place_value(value: ast.expr, shown: str, field: tuple[int, int], literal: ast.JoinedStr) -> None:
    """Places what a field holds as it is found by itself, in brackets, because it may reach over lines."""
    start, end = field
    printed_with_text = _DEBUGGING_SIGN.search(shown[start:end])
    expression = (
        f"({shown[start : end if printed_with_text is None else start + printed_with_text.start()]}\n)"
    )
    try:
        found = ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    if ast.dump(found) != ast.dump(value):
        return
    place_format_fields(found, expression)
    before = shown[:start].split("\n")
    line = literal.lineno + len(before) - 1
    column = len(before[-1].encode()) + (literal.col_offset if len(before) == 1 else 0)
    for old, new in zip(every_node(value), every_node(found), strict=True):
        if isinstance(old, (ast.expr, ast.keyword, ast.arg)) and isinstance(
            new, (ast.expr, ast.keyword, ast.arg)
        ):
            old.lineno, old.col_offset = _moved(new.lineno, new.col_offset, line, column)
            old.end_lineno, old.end_col_offset = _moved(
                new.end_lineno or new.lineno, new.end_col_offset or new.col_offset, line, column
            )


def _moved(line: int, column: int, first_line: int, first_column: int) -> tuple[int, int]:
    """A place in the brackets as one in the whole text; the opening bracket is one column more in the first line."""
    return (first_line, first_column + column - 1) if line == 1 else (first_line + line - 1, column)


def _at_whole(part: ast.AST, literal: ast.JoinedStr) -> None:
    for node in every_node(part):
        if isinstance(node, (ast.expr, ast.keyword, ast.arg)):
            node.lineno, node.col_offset = literal.lineno, literal.col_offset
            node.end_lineno, node.end_col_offset = literal.end_lineno, literal.end_col_offset


def _shown(literal: ast.JoinedStr, lines: list[bytes]) -> str:
    """The text of a string, with one line feed for each end of a line: no place depends on what ends them."""
    first, last = literal.lineno - 1, (literal.end_lineno or literal.lineno) - 1
    if first == last:
        return lines[first][literal.col_offset : literal.end_col_offset].decode()
    whole = [
        lines[first][literal.col_offset :],
        *lines[first + 1 : last],
        lines[last][: literal.end_col_offset],
    ]
    return b"\n".join(whole).decode()
