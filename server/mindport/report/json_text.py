"""JSON as commands write it, for people to read, too."""

from __future__ import annotations

import msgspec


def json_text(value: object, indent: int = 1) -> str:
    """The value on lines of its own, with a line feed at the end. Raises TypeError for what has no form in JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=indent).decode() + "\n"
