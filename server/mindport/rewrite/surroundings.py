"""What stands around an expression in its text, as far as it decides whether new text there needs
parentheses."""

from __future__ import annotations

import re

from mindport.model.span import Span
from mindport.rewrite.call_text import skip_blank
from mindport.source.lines import LineIndex

_BEFORE = re.compile(r"(?:^|[(\[{,;:]|(?<![=!<>:])=|\breturn|\byield|:=)$")
_BINDING_WORDS = re.compile(r"(and|or|in|is|not|if|else)\b")
_OPERATORS = "+-*/%@&|^<>=!.[("


def needs_parentheses(lines: LineIndex, span: Span, is_statement: bool) -> bool:
    """Whether an expression with operators, put in place of `span`, could be torn apart by its neighbours.
    Says yes where it cannot be told; parentheses too many do no harm."""
    if is_statement:
        return False
    text = lines.text
    start, end = lines.offset(span.start), lines.offset(span.end)
    line_start = lines.line_start(span.line)
    before = text[line_start:start].rstrip(" \t\f")
    if _BEFORE.search(before) is None:
        return True
    rest_of_line = text[end : lines.line_start(span.end_line + 1)].strip()
    behind = skip_blank(text, end)
    if behind >= len(text):
        return False
    on_same_line = bool(rest_of_line) and not rest_of_line.startswith("#")
    if text[behind] in _OPERATORS and (on_same_line or text[behind] not in "(["):
        return text[behind] != "=" or text[behind : behind + 2] == "=="
    if not on_same_line:
        return False
    return _BINDING_WORDS.match(text, behind) is not None
