"""The last good text of a unit whose present text does not parse, and what of it still stands where.

Nothing is guessed: a change takes away all that it touches, and moves what is behind it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from mindport.model.span import Span
from mindport.source.changes import Place, TextChange


class _Piece(NamedTuple):
    """What is between two places of the kept text and stands unchanged in the present one, from `now` on."""

    start: Place
    end: Place
    now: Place

    def present(self, place: Place) -> Place:
        line, column = place
        if line == self.start[0]:
            return self.now[0], self.now[1] + column - self.start[1]
        return line - self.start[0] + self.now[0], column

    def _kept(self, now: Place) -> Place:
        line, column = now
        if line == self.now[0]:
            return self.start[0], self.start[1] + column - self.now[1]
        return line - self.now[0] + self.start[0], column

    def after(self, change: TextChange) -> list[_Piece]:
        """What the change leaves of it."""
        now_end = self.present(self.end)
        if now_end <= change.start:
            return [self]
        if self.now >= change.end:
            return [self._replace(now=change.moved(self.now))]
        left = []
        if self.now < change.start:
            left.append(self._replace(end=self._kept(change.start)))
        if change.end < now_end:
            left.append(_Piece(self._kept(change.end), self.end, change.new_end))
        return left


class KeptText:
    """The lines of a unit as they were when it last parsed. `first_line` is the one on which it now begins, as far as
    that can be said."""

    __slots__ = ("_pieces", "first_line", "lines")

    def __init__(self, lines: Sequence[str], first_line: int, pieces: list[_Piece] | None = None) -> None:
        self.lines = lines
        self.first_line = first_line
        whole = _Piece((1, 0), (len(lines), len(lines[-1])), (first_line, 0))
        self._pieces = [whole] if pieces is None else pieces

    def after(self, change: TextChange) -> KeptText:
        """The same after one more change of the present text."""
        first_line = self.first_line + (change.added_lines if self.first_line > change.last else 0)
        return KeptText(
            self.lines, first_line, [left for piece in self._pieces for left in piece.after(change)]
        )

    def present(self, span: Span, lines: Sequence[str]) -> Span | None:
        """Where a stretch, its lines counted from 1, stands in the `lines` of the present text; None where a change
        touched it or wrote on at one of its ends."""
        start, end = (span.line, span.column), (span.end_line, span.end_column)
        index = bisect_right(self._pieces, start, key=lambda piece: piece.start) - 1
        if index < 0 or end > self._pieces[index].end:
            return None
        (line, column), (end_line, end_column) = map(self._pieces[index].present, (start, end))
        before, first = lines[line - 1][:column][-1:], lines[line - 1][column:][:1]
        last, behind = lines[end_line - 1][:end_column][-1:], lines[end_line - 1][end_column:][:1]
        # The last name of an attribute had its dot from the start.
        is_new = before != self.lines[span.line - 1][: span.column][-1:]
        if _goes_on(last, behind) or (is_new and (before == "." or _goes_on(before, first))):
            return None
        return Span(line, column, end_line, end_column)


def _goes_on(one: str, other: str) -> bool:
    """Whether two characters that meet make one word."""
    return f"a{one}{other}".isidentifier() and bool(one) and bool(other)
