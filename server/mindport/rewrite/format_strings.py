"""Finds where a text has f-strings, and writes new text into them: before Python 3.12 the quotes of the string end it
inside of a field, too, and there is no place for a backslash or a comment."""

from __future__ import annotations

import functools
import io
import re
import sys
import tokenize
from collections.abc import Sequence

from mindport.model.span import Position, Span
from mindport.rewrite.pieces import Piece
from mindport.source.lines import LineIndex

_PREFIX = re.compile(r"(?<![\w])[rR]?[fFtT][rR]?[\"']")
_LONG_PREFIX = re.compile(_PREFIX.pattern + r"(?:(?<=\")\"\"|(?<=')'')")
_LONG_LINE = 2000  # characters
_TEXT = re.compile(r"(?<!\w)'([^'\"]*)'|(?<!\w)\"([^'\"]*)\"")


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
    return bool(_around(lines, place))


def fitted_into_format_string(
    pieces: Sequence[Piece], lines: LineIndex, place: Position
) -> tuple[Piece, ...] | None:
    """New text as it may stand at `place`: in an f-string with the other quotes. None where it cannot stand there."""
    around = _around(lines, place)
    if not around:
        return tuple(pieces)
    free = [quote for quote in ('"', "'") if not any(lines.slice(span).endswith(quote) for span in around)]
    if format_string_spans(lines.text) is None:
        free = []
    fitted = [_with_quotes(piece, free) if isinstance(piece, str) else piece for piece in pieces]
    return None if None in fitted else tuple(piece for piece in fitted if piece is not None)


def _with_quotes(text: str, free: list[str]) -> str | None:
    """The text with its literals in a quote that is free; None for text that would end or change an f-string."""
    if any(sign in text for sign in "\\{}#"):
        return None
    if "'" not in text and '"' not in text:
        return text
    if not free or "'" in _TEXT.sub("", text) or '"' in _TEXT.sub("", text):
        return None
    return _TEXT.sub(lambda found: f"{free[0]}{found[1] or found[2] or ''}{free[0]}", text)


def _around(lines: LineIndex, place: Position) -> list[Span]:
    """The f-strings that `place` is in; the whole text where it has any and cannot be read."""
    if sys.version_info < (3, 12) and not _may_be_inside(lines, place.line):
        return []
    spans = format_string_spans(lines.text)
    if spans is None:
        return [Span(1, 0, lines.line_count, 0)]
    return [span for span in spans if span.start <= place < span.end]


def _may_be_inside(lines: LineIndex, line: int) -> bool:
    """Whether an f-string can reach into a line. Saves reading the tokens of most files: before Python 3.12
    an f-string with single quotes ends on its own line unless a backslash carries it on."""
    if not _has_format_string(lines.text):
        return False
    text = lines.line_text(line)
    return (
        len(text) > _LONG_LINE  # which may have thousands of places to ask about
        or _PREFIX.search(text) is not None
        or lines.line_text(line - 1).endswith("\\")
        or _has_long_format_string(lines.text)
    )


@functools.lru_cache(maxsize=8)
def _has_format_string(text: str) -> bool:
    return _PREFIX.search(text) is not None


@functools.lru_cache(maxsize=8)
def _has_long_format_string(text: str) -> bool:
    return _LONG_PREFIX.search(text) is not None
