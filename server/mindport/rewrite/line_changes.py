"""Two texts as edits of whole lines, for fixes that are made in several rounds."""

from __future__ import annotations

from difflib import SequenceMatcher

from mindport.model.span import Edit, Span
from mindport.source.lines import lines_with_ends


def line_changes(before: str, after: str) -> list[Edit]:
    """The edits that turn one text into the other, each from the start of a line to the start of another or to the
    end of the text."""
    old, new = lines_with_ends(before), lines_with_ends(after)
    edits = []
    for tag, first, last, new_first, new_last in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            continue
        if last < len(old):
            end_line, end_column = last + 1, 0
        else:
            end_line, end_column = len(old), len(old[-1])
        # The last line has no end, so an edit behind it begins at its end.
        start = (first + 1, 0) if first < len(old) else (len(old), len(old[-1]))
        edits.append(
            Edit(
                Span(*start, end_line, end_column), "".join(new[new_first:new_last]), "".join(old[first:last])
            )
        )
    return edits
