"""Reads the text of one call: where its parentheses are and how far each argument reaches, own parentheses
and comments included. Works on offsets into the text."""

from __future__ import annotations

import re

import msgspec

from mindport.source.lines import LineIndex
from mindport.usage.api_use import Argument, Call

_BLANK = re.compile(r"(?:\s|\\\r?\n|#[^\r\n]*)*")


class ArgumentText(msgspec.Struct, frozen=True):
    """The offsets of one argument: the whole (`name=(value)`, `*value`), and its value with and without the
    parentheses around it."""

    start: int
    end: int
    value_start: int
    value_end: int
    bare_start: int
    bare_end: int


class CallText(msgspec.Struct, frozen=True):
    """The offsets of a call: the place behind its opening parenthesis, the closing one, and its arguments."""

    inside: int
    close: int
    arguments: tuple[ArgumentText, ...]


def read_call(text: str, lines: LineIndex, callee_end: int, call: Call) -> CallText | None:
    """The layout of `call`, or None where the text is not laid out as the spans say (an argument that is a
    bare generator, whose parentheses are those of the call)."""
    close = lines.offset(call.span.end) - 1
    opening = skip_blank(text, callee_end)
    while opening < close and text[opening] == ")":  # the callee is in parentheses: (f)(x)
        opening = skip_blank(text, opening + 1)
    if not 0 <= opening < close or text[opening] != "(" or text[close] != ")":
        return None
    found = []
    limit = opening + 1
    for argument in call.arguments:
        one = _argument(text, lines, argument, limit, close)
        if one is None:
            return None
        found.append(one)
        limit = one.end
    return CallText(opening + 1, close, tuple(found))


def skip_blank(text: str, offset: int) -> int:
    """The first offset from `offset` on that is no white space, line continuation or comment."""
    match = _BLANK.match(text, offset)
    return match.end() if match else offset


def _argument(text: str, lines: LineIndex, argument: Argument, limit: int, close: int) -> ArgumentText | None:
    bare_start, bare_end = lines.offset(argument.span.start), lines.offset(argument.span.end)
    if bare_start < limit or bare_end > close:
        return None
    start, end = bare_start, bare_end
    while True:
        before = len(text[limit:start].rstrip())
        behind = skip_blank(text, end)
        if before == 0 or text[limit + before - 1] != "(" or behind >= close or text[behind] != ")":
            break
        start, end = limit + before - 1, behind + 1
    whole = start
    if argument.keyword_span is not None:
        whole = lines.offset(argument.keyword_span.start)
    elif argument.star:
        whole = limit + len(text[limit:start].rstrip().rstrip("*"))
    if whole < limit:
        return None
    return ArgumentText(whole, end, start, end, bare_start, bare_end)
