"""Turns Markdown as the repository and `mindport explain` write it into what the site's generator takes: links that
leave docs/, and code that is indented."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

_LINK = re.compile(r"(!?)\[([^\[\]]*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")
_FENCE = re.compile(r"^\s*```")


def fenced(text: str) -> str:
    """The text with indented blocks of Python as fenced ones, which are coloured."""
    lines: list[str] = []
    is_inside = False
    for line in text.splitlines():
        is_code = line.startswith("    ") or (is_inside and not line)
        if is_code and not is_inside:
            lines.append("```python")
        if is_inside and not is_code:
            _close(lines)
        is_inside = is_code
        lines.append(line[4:] if is_code else line)
    if is_inside:
        _close(lines)
    return "\n".join(lines) + "\n"


def _close(lines: list[str]) -> None:
    """End the block behind its last line of code."""
    at = len(lines)
    while not lines[at - 1]:
        at -= 1
    lines.insert(at, "```")


def led(text: str, place: str, pages: Mapping[str, str]) -> str:
    """The text of a file of the repository with its links leading to pages of the site. `place` is the file, `pages`
    has for each file of the repository its page; one that ends with `.html` is no page of the same language, for which
    the generator has no link. A link to anything else becomes its words alone."""
    folder = PurePosixPath(place).parent

    def lead(link: re.Match[str]) -> str:
        target = pages.get(_normal(folder / link[3]))
        if target is not None and target.endswith(".html"):
            return f'<a href="{target}{link[4] or ""}">{link[2]}</a>'
        return f"{link[1]}[{link[2]}]({target}{link[4] or ''})" if target is not None else link[2]

    lines, in_code = [], False
    for line in text.splitlines():
        if _FENCE.match(line):
            in_code = not in_code
        lines.append(line if in_code else _LINK.sub(lead, line))
    return "\n".join(lines) + "\n"


def _normal(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
