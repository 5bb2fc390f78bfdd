"""Values as they may stand in the cells of a table that a spreadsheet opens."""

from __future__ import annotations

from mindport.report.text import one_line


def cell(value: object) -> object:
    """A text that a spreadsheet would take for a formula is marked as text; it is one line without control
    characters."""
    if isinstance(value, str):
        value = one_line(value)
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{value}"
    return value
