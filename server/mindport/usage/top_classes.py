"""The classes at the top of a file and the lines they take. Looks at the text only."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from mindport.source.units import Unit


def class_at(units: Sequence[Unit], line: int) -> str:
    """The name of the top-level class around a 1-based line; empty where there is none."""
    unit = next((one for one in reversed(units) if one.statements and one.first_line <= line), None)
    return "" if unit is None else unit.owner


def lines_of_class(units: Sequence[Unit], name: str) -> range:
    """The 1-based lines of the first top-level class of that name, decorators and what stands between it and the next
    statement included; no lines where there is none."""
    starts = [(one.first_line, one.owner) for one in units if one.statements]
    for place, (first, owner) in enumerate(starts):
        if owner == name:
            behind = next((line for line, other in starts[place:] if other != name), sys.maxsize)
            return range(first, behind)
    return range(0)
