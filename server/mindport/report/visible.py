"""Text from a project as it may be shown. Names of files can hold whatever moves a terminal's cursor, forges lines or
turns the order of characters around; such characters are shown by their number."""

from __future__ import annotations

import re
import unicodedata

_CONTROL = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
_IN_TEXT = re.compile(f"[{_CONTROL}]")
_IN_NAME = re.compile(rf"[{_CONTROL}\n\t\u2028\u2029]")


def visible(text: str) -> str:
    """A text of several lines, without what a terminal would take for more than text."""
    return _IN_TEXT.sub(_number, text)


def visible_name(name: str) -> str:
    """A name that stands within a line."""
    return name if name.isascii() and name.isprintable() else _IN_NAME.sub(_number, name)


def terminal_columns(text: str) -> int:
    """How wide a terminal shows a text."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _number(match: re.Match[str]) -> str:
    return ascii(match[0])[1:-1]
