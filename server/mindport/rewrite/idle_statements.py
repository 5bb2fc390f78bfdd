"""Leaves out statements that a conversion made idle: `x = x` where `x.to(device)` was stored, a name alone where it was
called for its effect. What the user wrote as such stays."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree


def without_idle_statements(before: str, after: str) -> str:
    """`after` without the statements that do nothing, as far as `before` has them not. A comment behind such a
    statement stays, and a block keeps at least `pass`. The same text where one of the two does not parse."""
    try:
        own = Counter(
            ast.unparse(statement) for body in _bodies(before) for statement in body if _is_idle(statement)
        )
        bodies = list(_bodies(after))
    except SYNTAX_ERRORS:
        return after
    lines = LineIndex(after)
    edits: list[tuple[int, int, str]] = []
    for body in bodies:
        left = len(body)
        for statement in body:
            if not _is_idle(statement):
                continue
            key = ast.unparse(statement)
            if own[key]:
                own[key] -= 1
                continue
            edit = _left_out(statement, lines, after, is_last=left == 1)
            if edit is not None:
                edits.append(edit)
                left -= 1
    for start, end, text in sorted(edits, reverse=True):
        after = after[:start] + text + after[end:]
    return after


def _bodies(text: str) -> Iterator[list[ast.stmt]]:
    """Every list of statements in a text. Raises one of SYNTAX_ERRORS."""
    for node in ast.walk(parse_tree(text)):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body:
                yield body


def _is_idle(statement: ast.stmt) -> bool:
    """Whether a statement reads names and stores nothing new."""
    match statement:
        case ast.Expr(value=value):
            return _is_name(value)
        case ast.Assign(targets=[target], value=value):
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            return all(_is_name(name) for name in names) and ast.unparse(target) == ast.unparse(value)
    return False


def _is_name(value: ast.expr) -> bool:
    """Whether an expression is a name, or attributes of one."""
    while isinstance(value, ast.Attribute):
        value = value.value
    return isinstance(value, ast.Name)


def _left_out(
    statement: ast.stmt, lines: LineIndex, text: str, *, is_last: bool
) -> tuple[int, int, str] | None:
    """The offsets to replace and the text for them; None where the statement shares its lines with another one."""
    end_line = statement.end_lineno or statement.lineno
    start = lines.line_start(statement.lineno)
    first = start + lines.column_of_byte(statement.lineno, statement.col_offset)
    end = lines.line_start(end_line) + lines.column_of_byte(end_line, statement.end_col_offset or 0)
    behind = text[end : lines.line_start(end_line) + len(lines.line_text(end_line))]
    comment = behind.strip()
    if text[start:first].strip() or (comment and not comment.startswith("#")):
        return None
    if is_last:
        return first, end, "pass"
    if comment:
        return first, end + len(behind) - len(behind.lstrip()), ""
    return start, lines.line_start(end_line + 1), ""
