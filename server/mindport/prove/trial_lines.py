"""From a line of a port to the line of the original that it was made of, by comparing the two texts."""

from __future__ import annotations

import difflib
import re

_LINE_END = re.compile(r"\r\n|\r|\n")  # what Python counts as one; str.splitlines knows more


class LineMap:
    """The lines of an original behind those of its port."""

    def __init__(self, original: str, port: str) -> None:
        before, after = _lines(original), _lines(port)
        self._before, self._after = before, after
        self._last = max(len(before), 1)
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        self._blocks = matcher.get_opcodes()

    def original_line(self, line: int) -> int:
        """The line (from 1) of the original for one of the port. Of lines that were changed together it is the most
        similar one, of equally many the one in the same place; for a line that was added it is the nearest one
        before."""
        place = line - 1
        for kind, first, end, start, stop in self._blocks:
            if start <= place < stop:
                if kind == "insert":
                    return max(first, 1)
                same = min(first + place - start, end - 1)
                return (same if end - first == stop - start else self._nearest(place, first, end, same)) + 1
        return self._last

    def is_added(self, line: int) -> bool:
        """Whether the original has nothing for a line of the port: none stands in its place, or fewer than there, of
        which none is like it."""
        place = line - 1
        for kind, first, end, start, stop in self._blocks:
            if start <= place < stop:
                fewer = kind == "replace" and end - first < stop - start
                return kind == "insert" or (fewer and self._nearest(place, first, end, -1) < 0)
        return False

    def line_behind(self, line: int) -> int:
        """The line of the original that stands where one of the port was added: that of the next one that was not."""
        while self.is_added(line):
            line += 1
        return self.original_line(line)

    def _nearest(self, place: int, first: int, end: int, same: int) -> int:
        """The line of the original, from `first` to before `end`, that is most like one of the port, else `same`."""
        matcher = difflib.SequenceMatcher(None, autojunk=False)
        matcher.set_seq2(self._after[place].strip())
        best, found = 0.5, same  # below a half they only share what all code shares
        for line in range(first, end):
            matcher.set_seq1(self._before[line].strip())
            if matcher.quick_ratio() > best and (likeness := matcher.ratio()) > best:
                best, found = likeness, line
        return found


def _lines(text: str) -> list[str]:
    lines = _LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]
