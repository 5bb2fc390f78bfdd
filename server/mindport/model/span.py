"""Places in a text, and edits of them."""

from __future__ import annotations

import msgspec


class Position(msgspec.Struct, frozen=True, order=True, gc=False, array_like=True):
    """A place in a text: `line` is 1-based, `column` is a 0-based code point column (as `ast` would count
    if it did not count UTF-8 bytes)."""

    line: int
    column: int


class Span(msgspec.Struct, frozen=True, order=True, gc=False, array_like=True):
    """A half-open stretch of a text: 1-based lines, 0-based code point columns, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def start(self) -> Position:
        """The first position inside."""
        return Position(self.line, self.column)

    @property
    def end(self) -> Position:
        """The first position behind."""
        return Position(self.end_line, self.end_column)

    def shifted(self, lines: int) -> Span:
        """The same stretch, `lines` further down."""
        return Span(self.line + lines, self.column, self.end_line + lines, self.end_column)

    def contains(self, position: Position) -> bool:
        """Whether `position` lies inside or at the end (editors ask with the cursor behind the last letter)."""
        return self.start <= position <= self.end

    def encloses(self, other: Span) -> bool:
        """Whether all of `other` lies inside; a stretch encloses itself."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        """Whether the two share at least one character (or an empty one lies strictly inside the other)."""
        return self.start < other.end and other.start < self.end


class Edit(msgspec.Struct, frozen=True, gc=False):
    """Replace the text of `span` (empty: insert) by `text`. Lines in `text` are separated by a line feed;
    whoever applies it writes the document's own line end. `expected` is what stood there when the edit was made, where
    the text may be another one by the time it is applied: then it is not for that text."""

    span: Span
    text: str
    expected: str | None = None
