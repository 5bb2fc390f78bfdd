"""Finds where a text has f-strings, because places inside them cannot be edited like other code: before
Python 3.12 the parser does not know where they are, and quotes inside break the string."""

from __future__ import annotations

import functools
import io
import re
import sys
import tokenize

from mindport.model.span import Position, Span
from mindport.source.lines import LineIndex

_PREFIX = re.compile(r"(?<![\w])[rR]?[fFtT][rR]?[\"']")
_LONG_PREFIX = re.compile(_PREFIX.pattern + r"(?:(?<=\")\"\"|(?<=')'')")
PLACES_ARE_RELIABLE = sys.version_info >= (3, 12)


@functools.lru_cache(maxsize=8)
def format_string_spans(text: str) -> tuple[Span, ...] | None:
    """The spans of all f-strings; None where they cannot be told because the text is broken."""
    if _PREFIX.search(text) is None:
        return ()
    spans: list[Span] = []
    opened: list[tuple[int, int]] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            name = tokenize.tok_name[token.type]
            if name == "STRING" and _PREFIX.match(token.string):
                spans.append(Span(*token.start, *token.end))
            elif name in ("FSTRING_START", "TSTRING_START"):
                opened.append(token.start)
            elif name in ("FSTRING_END", "TSTRING_END") and opened:
                spans.append(Span(*opened.pop(), *token.end))
    except (tokenize.TokenError, SyntaxError):
        return None
    return tuple(spans)


def is_in_format_string(lines: LineIndex, place: Position) -> bool:
    """Whether `place` is inside an f-string, as far as can be told; a text that cannot be read counts as
    inside where it has any."""
    if not PLACES_ARE_RELIABLE and not _may_be_inside(lines, place.line):
        return False
    spans = format_string_spans(lines.text)
    if spans is None:
        return True
    return any(span.start <= place < span.end for span in spans)


def _may_be_inside(lines: LineIndex, line: int) -> bool:
    """Whether an f-string can reach into a line. Saves reading the tokens of most files: before Python 3.12
    an f-string with single quotes ends on its own line unless a backslash carries it on."""
    return (
        _PREFIX.search(lines.line_text(line)) is not None
        or lines.line_text(line - 1).endswith("\\")
        or _has_long_format_string(lines.text)
    )


@functools.lru_cache(maxsize=8)
def _has_long_format_string(text: str) -> bool:
    return _LONG_PREFIX.search(text) is not None
