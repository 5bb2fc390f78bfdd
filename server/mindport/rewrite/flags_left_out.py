"""Leaves `requires_grad=True` out of a call that is written with torch's arguments: what stands around the call asks
for the gradient, or nobody does."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import msgspec

from mindport.model.span import Position, Span
from mindport.rewrite.pieces import Piece, Rewrite
from mindport.usage.api_use import Argument, Call
from mindport.usage.gradient_flags import gradient_flag


def without_gradient_flag_in(rewrite: Rewrite, api: str, call: Call) -> Rewrite:
    """The rewrite of a call without the flag, where it keeps the text of that."""
    flag = gradient_flag(api, call)
    if flag is None:
        return rewrite
    cut = _with_comma(flag, call)
    pieces = itertools.chain.from_iterable(_without(piece, cut) for piece in rewrite.pieces)
    return msgspec.structs.replace(rewrite, pieces=tuple(pieces))


def _with_comma(flag: Argument, call: Call) -> Span:
    """The place of an argument with the comma before it, or with the one behind where it is the first."""
    at = call.arguments.index(flag)
    if at:
        return _between(call.arguments[at - 1].span.end, flag.span.end)
    rest = call.arguments[at + 1 :]
    return _between(_start(flag), _start(rest[0]) if rest else flag.span.end)


def _start(argument: Argument) -> Position:
    return (argument.keyword_span or argument.span).start


def _between(start: Position, end: Position) -> Span:
    return Span(start.line, start.column, end.line, end.column)


def _without(piece: Piece, cut: Span) -> Iterator[Piece]:
    if not isinstance(piece, Span) or not piece.encloses(cut):
        yield piece
        return
    for part in (_between(piece.start, cut.start), _between(cut.end, piece.end)):
        if part.start < part.end:
            yield part
