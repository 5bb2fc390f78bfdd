"""Removes suppression comments that suppress nothing, or the codes in them that do not."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mindport.checking.suppression import Idle
from mindport.model.span import Edit, Span
from mindport.source.lines import LineIndex

# A reason may name an issue (#12); any other comment sign begins a comment that is somebody else's.
_REASON = re.compile(r"(?:[^#\r\n]|#(?=\d))*")
_BETWEEN_CODES = re.compile(r"[,\s]+")


def removal_edits(text: str, idle: Iterable[Idle]) -> tuple[Edit, ...]:
    """The edits that take the comments out of their text."""
    lines = LineIndex(text)
    return tuple(_without_codes(lines, one) if one.codes else _without_comment(lines, one) for one in idle)


def _without_comment(lines: LineIndex, idle: Idle) -> Edit:
    """Without the comment and its reason, and without its line where nothing else stands there."""
    line, start = idle.span.line, idle.span.column
    content = lines.line_text(line)
    reason = _REASON.match(content, idle.span.end_column)
    end = idle.span.end_column if reason is None else reason.end()
    before, after = content[:start], content[end:]
    if not before.strip() and not after:
        return Edit(Span(line, 0, line + 1, 0), "")
    if not after:
        return Edit(Span(line, len(before.rstrip()), line, end), "")
    return Edit(Span(line, start, line, end), "")


def _without_codes(lines: LineIndex, idle: Idle) -> Edit:
    """Without some of the codes."""
    span = idle.span
    written = lines.line_text(span.line)[span.column : span.end_column]
    head, bracket, rest = written.partition("[")
    words = _BETWEEN_CODES.split(rest.removesuffix("]"))
    kept = ", ".join(word for word in words if word and word not in idle.codes)
    return Edit(span, f"{head}{bracket}{kept}]")
