"""Applies edits to a text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mindport.model.span import Edit
from mindport.source.lines import LineIndex

_LONE_LINE_FEED = re.compile(r"(?<!\r)\n")


def apply_edits(text: str, edits: Iterable[Edit], newline: str = "\n") -> str:
    """The text with all edits made; lines of new text end as the document's do. What is inserted at one place comes in
    the order of the edits. Raises ValueError for edits that overlap."""
    lines = LineIndex(text)
    offsets = [(lines.offset(edit.span.start), lines.offset(edit.span.end), edit.text) for edit in edits]
    placed = sorted(offsets, key=lambda one: one[:2])
    parts: list[str] = []
    position = 0
    for start, end, new in placed:
        if start < position:
            raise ValueError("the edits overlap")
        parts += (text[position:start], with_line_ends(new, newline))
        position = end
    parts.append(text[position:])
    return "".join(parts)


def with_line_ends(text: str, newline: str) -> str:
    """A new text for a document whose lines end with `newline`."""
    return text if newline == "\n" else _LONE_LINE_FEED.sub(newline, text)
