"""Columns as the client counts them. Inside mindport columns are code points; the client counts code units of the
encoding that was agreed on. The two differ only on lines that are not ASCII, and only those are converted."""

from __future__ import annotations

import enum


class PositionEncoding(enum.Enum):
    """The three encodings of the protocol."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"

    @classmethod
    def negotiate(cls, offered: list[str]) -> PositionEncoding:
        """The encoding to use with a client that offers these: its first choice among those we know, and UTF-16, which
        every client must understand, where it offers nothing."""
        for name in offered:
            if name in cls._value2member_map_:
                return cls(name)
        return cls.UTF16


def to_client(line: str, column: int, encoding: PositionEncoding) -> int:
    """The client's column of a code point column in `line` (its text, with or without the line end)."""
    if line.isascii() or encoding is PositionEncoding.UTF32:
        return column
    before = line[:column]
    if encoding is PositionEncoding.UTF8:
        return len(before.encode("utf-8", "surrogatepass"))
    return column + sum(1 for character in before if character > "\uffff")


def from_client(line: str, column: int, encoding: PositionEncoding) -> int:
    """The code point column of a client's column; one behind the end becomes the end, one inside a character its
    start."""
    if line.isascii() or encoding is PositionEncoding.UTF32:
        return min(column, len(line))
    if encoding is PositionEncoding.UTF8:
        return len(line.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))
    units = 0
    for index, character in enumerate(line):
        units += 2 if character > "\uffff" else 1
        if units > column:
            return index
    return len(line)
