"""From a line of a port to the line of the original that it was made of, by comparing the two texts."""

from __future__ import annotations

import difflib


class LineMap:
    """The lines of an original behind those of its port."""

    def __init__(self, original: str, port: str) -> None:
        before, after = original.splitlines(), port.splitlines()
        self._last = max(len(before), 1)
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        self._blocks = matcher.get_opcodes()

    def original_line(self, line: int) -> int:
        """The line (from 1) of the original for one of the port. Lines that were changed in their places count one
        by one; for a line that was added it is the nearest one before."""
        place = line - 1
        for kind, first, end, start, stop in self._blocks:
            if start <= place < stop:
                if kind == "insert":
                    return max(first, 1)
                return min(first + place - start, end - 1) + 1
        return self._last
