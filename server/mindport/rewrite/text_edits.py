"""Pieces of a text with what stands there afterwards."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class TextEdit(msgspec.Struct, frozen=True, order=True):
    """Replaces the text between two offsets."""

    start: int
    end: int
    new: str


def with_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """`text` after edits that do not overlap."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text
