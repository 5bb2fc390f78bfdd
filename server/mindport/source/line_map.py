"""From a line of one text to the line of another one that it was made of, by comparing the two."""

from __future__ import annotations

import difflib


class LineMap:
    """The lines of a text behind those of a changed one. The other way round it leads from the first to the second."""

    def __init__(self, before: str, after: str) -> None:
        old, new = before.splitlines(), after.splitlines()
        self._last = max(len(old), 1)
        self._blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()

    def line_before(self, line: int) -> int:
        """The line (from 1) of the text before for one of the text after. Lines that were changed in their places count
        one by one; for a line that was added it is the nearest one before."""
        place = line - 1
        for kind, first, end, start, stop in self._blocks:
            if start <= place < stop:
                if kind == "insert":
                    return max(first, 1)
                return min(first + place - start, end - 1) + 1
        return self._last
