"""Writes a suppression comment, or adds a code to one that stands there."""

from __future__ import annotations

import io
import tokenize

from mindport.check.suppression import find_suppressions
from mindport.model.span import Edit, Span
from mindport.source.lines import LineIndex


def suppression_edit(lines: LineIndex, code: str, line: int) -> Edit | None:
    """The edit that makes `code` ignored on a 1-based line; None where no comment can stand at the end of
    that line, because a string or a backslash carries it on, or where the code is ignored already."""
    for one in find_suppressions(lines.text):
        if one.line == line:
            if not one.codes or code in one.codes:
                return None
            end = one.span.end_column - 1  # in front of the bracket
            return Edit(Span(one.span.end_line, end, one.span.end_line, end), f", {code}")
    content = lines.line_text(line)
    if not _ends_outside_string(lines.text, line) or content.endswith("\\"):
        return None
    end = len(content)
    gap = "" if content.endswith((" ", "\t")) else "  "
    return Edit(Span(line, end, line, end), f"{gap}# mindport: ignore[{code}]")


def _ends_outside_string(text: str, line: int) -> bool:
    """Whether the end of a line is plain code. Text behind it that cannot be read does not matter."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            if token.start[0] > line:
                return True
            if token.start[0] <= line < token.end[0] and token.type not in (tokenize.NEWLINE, tokenize.NL):
                return False
    except (tokenize.TokenError, SyntaxError):
        # Only the end of the text was missing: brackets are open, or a string is.
        return "'''" not in text and '"""' not in text
    return True
