"""A piece of a text with what stands there afterwards."""

from __future__ import annotations

import msgspec


class TextEdit(msgspec.Struct, frozen=True, order=True):
    """Replaces the text between two offsets."""

    start: int
    end: int
    new: str
