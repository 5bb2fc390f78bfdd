"""What sets one text apart from the one before it: the lines that an edit changed, and the place in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

Place = tuple[int, int]  # 1-based line, 0-based code point column
_FEW_LINES = 3  # what is typed or pasted into is not looked at line by line


class TextChange(NamedTuple):
    """What sets a text apart from the one before: all between `start` and `end` became what now ends at `new_end`.
    `last` is the last line of the text before that it takes from; the one before `start` where it only adds lines."""

    start: Place
    end: Place
    new_end: Place
    last: int

    @property
    def added_lines(self) -> int:
        """How much further down the lines behind it are."""
        return self.new_end[0] - self.end[0]

    def moved(self, place: Place) -> Place:
        """Where a place that is not before the end of the change is now."""
        line, column = place
        if line == self.end[0]:
            return self.new_end[0], self.new_end[1] + column - self.end[1]
        return line + self.added_lines, column


def change_between(old: list[str], new: list[str]) -> TextChange | None:
    """The smallest change of some lines into others; None where they are alike."""
    first, last, new_last = changed_lines(old, new)
    return None if first > last and first > new_last else _change(old, new, first, first, last, new_last)


def changes_between(old: list[str], new: list[str]) -> list[TextChange]:
    """The changes of some lines into others, the last one first, so that the places of each are those of the old lines:
    a key is one, but a text that comes as a whole may have others in several places."""
    first, last, new_last = changed_lines(old, new)
    if min(last, new_last) - first < _FEW_LINES:
        return [_change(old, new, first, first, last, new_last)]
    matcher = SequenceMatcher(None, old[first - 1 : last], new[first - 1 : new_last])
    return [
        _change(old, new, first + start, first + new_start, first + end - 1, first + new_end - 1)
        for tag, start, end, new_start, new_end in reversed(matcher.get_opcodes())
        if tag != "equal"
    ]


def _change(
    old: list[str], new: list[str], first: int, new_first: int, last: int, new_last: int
) -> TextChange:
    """The change of some lines into others. Its places are those of a text that differs nowhere before it."""
    moved = first - new_first
    if first > last or new_first > new_last:
        return TextChange((first, 0), (last + 1, 0), (new_last + 1 + moved, 0), last)
    line, new_line = old[first - 1], new[new_first - 1]
    head = _common(line, new_line, min(len(line), len(new_line)), 1)
    end, new_end = old[last - 1], new[new_last - 1]
    # What counts as the start of a line cannot be its end besides.
    left = len(end) - head * (first == last), len(new_end) - head * (new_first == new_last)
    tail = _common(end, new_end, min(left), -1)
    return TextChange((first, head), (last, len(end) - tail), (new_last + moved, len(new_end) - tail), last)


def split_lines(text: str) -> list[str]:
    """Lines as the tokenizer counts them, without their ends."""
    return text.split("\n") if "\r" not in text else re.split(r"\r\n|\r|\n", text)


def changed_lines(old: list[str], new: list[str]) -> tuple[int, int, int]:
    """First changed line, last changed line of the old text, last changed line of the new one; all 1-based. A line that
    was only added or removed counts with the line before it."""
    shorter = min(len(old), len(new))
    first = _common(old, new, shorter, 1)
    tail = _common(old, new, shorter - first, -1)
    return first + 1, len(old) - tail, len(new) - tail


def _common(old: Sequence[str], new: Sequence[str], most: int, step: int) -> int:
    """How many lines, or characters, are alike from the start (step 1) or the end (step -1). Compares in halves, which
    is fast."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if step > 0:
            alike = old[low:middle] == new[low:middle]
        else:
            alike = old[len(old) - middle : len(old) - low] == new[len(new) - middle : len(new) - low]
        if alike:
            low = middle
        else:
            high = middle - 1
    return low
