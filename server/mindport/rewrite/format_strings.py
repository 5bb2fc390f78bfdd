"""Finds where a text has f-strings, because places inside them cannot be edited like other code: before
Python 3.12 the parser does not know where they are, and quotes inside break the string."""

from __future__ import annotations

import functools
import io
import re
import sys
import tokenize

from mindport.model.span import Position, Span

_PREFIX = re.compile(r"(?<![\w])[rR]?[fFtT][rR]?[\"']")
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


def is_in_format_string(text: str, place: Position) -> bool:
    """Whether `place` is inside an f-string, as far as can be told; a text that cannot be read counts as
    inside where it has any."""
    spans = format_string_spans(text)
    if spans is None:
        return True
    return any(span.start <= place < span.end for span in spans)
