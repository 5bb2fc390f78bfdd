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
_TESTING = re.compile(r"\b(?:if|elif|while)$")


def needs_parentheses(lines: LineIndex, span: Span, is_statement: bool, may_be_test: bool = False) -> bool:
    """Whether an expression with operators, put in place of `span`, could be torn apart by its neighbours.
    Says yes where it cannot be told; parentheses too many do no harm. `may_be_test`: it is neither a lambda nor a
    choice with `if`, and may stand behind one."""
    if is_statement:
        return False
    text = lines.text
    start, end = lines.offset(span.start), lines.offset(span.end)
    line_start = lines.line_start(span.line)
    before = text[line_start:start].rstrip(" \t\f")
    is_test = may_be_test and _TESTING.search(before) is not None
    if not is_test and _BEFORE.search(before) is None:
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
    word = _BINDING_WORDS.match(text, behind)
    return word is not None and not (is_test and word[0] == "else")
