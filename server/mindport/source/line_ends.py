"""Line ends of old Macs: lone carriage returns, which most of what works on lines does not take for any. A file is
worked on with line feeds in their place, and has its own again when it is written."""

from __future__ import annotations

import re

_LONE_RETURN = re.compile(r"\r(?!\n)")
_LINE_END = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def has_lone_returns(text: str) -> bool:
    """Whether a line of the text ends so."""
    return "\r" in text and _LONE_RETURN.search(text) is not None


def with_line_feeds(text: str) -> str:
    """The text with line feeds in place of lone carriage returns. Lines and columns stay what they are."""
    return _LONE_RETURN.sub("\n", text)


def with_own_line_ends(text: str, original: str, newline: str) -> str:
    """What was made of `with_line_feeds(original)`, with the line ends of the original; new lines end with
    `newline`."""
    if "\n" not in original:
        return text.replace("\r\n", "\n").replace("\n", "\r")
    before, after = (_LINE.findall(one) for one in (with_line_feeds(original), text))
    if before == after:
        return original
    from difflib import SequenceMatcher  # hardly any file has line ends of both kinds

    own = [*_LINE_END.findall(original), ""]
    lines: list[str] = []
    for kind, first, last, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        keeps = kind == "equal" or (kind == "replace" and end - start == last - first)
        for place in range(start, end):
            line_end = own[first + place - start] if keeps else newline
            lines.append(_with_end(after[place], line_end or newline))
    return "".join(lines)


def _with_end(line: str, line_end: str) -> str:
    return line.rstrip("\r\n") + line_end if line.endswith("\n") else line
