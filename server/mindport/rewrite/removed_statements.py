"""What has to go with statements that share their line with others: `a; b; c` keeps one semicolon between two that
stay, and a block that stands behind its colon keeps `pass`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mindport.rewrite.text_edits import TextEdit
from mindport.source.lines import LineIndex


def removed_from_line(start: int, end: int, lines: LineIndex) -> TextEdit | None:
    """The edit that takes the statements between two offsets away from others on their lines; None where no other
    one stands there, so that whole lines can go."""
    first, last = lines.position(start), lines.position(end)
    before = lines.line_text(first.line)[: first.column]
    behind = lines.line_text(last.line)[last.column :].rstrip("\r\n")
    if behind.lstrip().startswith(";"):
        following = behind.lstrip()[1:].lstrip()
        if following and not following.startswith("#"):
            return TextEdit(start, end + behind.index(following), "")
        end += behind.index(";") + 1
    left = before.rstrip()
    if left.endswith(";"):
        return TextEdit(start - len(before) + len(left[:-1].rstrip()), end, "")
    return TextEdit(start, end, "pass") if left else None


def joined_extents(statements: Iterable[tuple[int, int]], lines: LineIndex) -> Iterator[tuple[int, int]]:
    """The extents of statements in their order, those as one that only a semicolon parts."""
    first = last = -1
    for start, end in statements:
        between = lines.text[last:start] if last >= 0 else ""
        if last >= 0 and "\n" not in between and between.strip() == ";":
            last = end
            continue
        if last >= 0:
            yield first, last
        first, last = start, end
    if last >= 0:
        yield first, last
