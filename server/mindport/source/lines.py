"""Lines and columns of a text, counted as the Python tokenizer does: a line ends at a line feed, a carriage
return or both together, never at a form feed or at the other separators that `str.splitlines` knows."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from mindport.model.span import Position, Span

_LINE_END = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def lines_with_ends(text: str) -> list[str]:
    """The lines of a text with their ends, as the protocol and the Python tokenizer count them. The last one has no
    end and may be empty."""
    if "\r" not in text:
        lines = [line + "\n" for line in text.split("\n")]
        lines[-1] = lines[-1][:-1]
        return lines
    lines = _LINE.findall(text)
    # The expression matches once more, emptily, behind a last line that has no end.
    if len(lines) > 1 and not lines[-1] and not lines[-2].endswith(("\r", "\n")):
        lines.pop()
    return lines


class LineIndex:
    """Converts between offsets in a text, positions (1-based line, 0-based code point column) and byte
    columns.

    All questions are answered for every input: a line or column outside the text is moved to the nearest
    place inside, because editors and half-written code ask about such places."""

    __slots__ = ("_encoded_lines", "_is_ascii", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._is_ascii = text.isascii()
        if "\r" in text:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        else:
            # Splitting and adding up is about five times faster than a regular expression here.
            lengths = [len(line) + 1 for line in text.split("\n")]
            lengths.pop()
            self._starts = list(accumulate(lengths, initial=0))
        self._encoded_lines: dict[int, bytes | None] = {}

    @property
    def line_count(self) -> int:
        """How many lines there are; an empty text has one, and so has what follows the last line end."""
        return len(self._starts)

    def line_start(self, line: int) -> int:
        """The offset at which the 1-based `line` begins; the end of the text for a line behind the last."""
        if line < 1:
            return 0
        return self._starts[line - 1] if line <= len(self._starts) else len(self.text)

    def line_text(self, line: int) -> str:
        """The text of the 1-based `line` without its line end."""
        start = self.line_start(line)
        end = self.line_start(line + 1)
        text = self.text[start:end]
        if line >= len(self._starts):
            return text
        return text[:-2] if text.endswith("\r\n") else text[:-1]

    def offset(self, position: Position) -> int:
        """The offset of a position, at most the end of its line."""
        start = self.line_start(position.line)
        if position.line < 1:
            return 0
        offset = start + max(position.column, 0)
        next_start = self.line_start(position.line + 1)
        if offset < next_start - 1:
            return offset
        return min(offset, start + len(self.line_text(position.line)))

    def position(self, offset: int) -> Position:
        """The position of an offset; the last one for an offset behind the end."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1])

    def span(self, start: int, end: int) -> Span:
        """The span between two offsets."""
        first, last = self.position(start), self.position(end)
        return Span(first.line, first.column, last.line, last.column)

    def slice(self, span: Span) -> str:
        """The text that a span covers, line ends as they are."""
        return self.text[self.offset(span.start) : self.offset(span.end)]

    def column_of_byte(self, line: int, byte_column: int) -> int:
        """The code point column of a UTF-8 byte column, which is what `ast` counts. Costs only on non-ASCII
        lines."""
        if self._is_ascii:
            return byte_column
        encoded = self._encoded(line)
        if encoded is None:
            return byte_column
        # A byte inside a character belongs to it.
        return len(encoded[:byte_column].decode("utf-8", "ignore"))

    def _encoded(self, line: int) -> bytes | None:
        """The UTF-8 form of a line, or None where it is plain ASCII and bytes are columns."""
        try:
            return self._encoded_lines[line]
        except KeyError:
            text = self.line_text(line)
            encoded = None if text.isascii() else text.encode("utf-8", "surrogatepass")
            self._encoded_lines[line] = encoded
            return encoded
