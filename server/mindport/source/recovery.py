"""Finds the statements of a text that does not parse as a whole, when no earlier version of it is known."""

from __future__ import annotations

import ast
import re

from mindport.source.syntax import SYNTAX_ERRORS, parse_statements

_STARTS = re.compile(r"[A-Za-z_@\"'(\[{]")
_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b|[)\]}]")
_MOST_TRIES = 40


def recovered_blocks(lines: list[str]) -> list[tuple[int, int, list[ast.stmt] | None]]:
    """First line, last line and statements of each piece of the text; None for a piece that does not parse.

    Pieces begin on lines that look like the start of a top-level statement. A piece that does not parse is tried
    together with those behind it, as it may be a string or a bracket over several of them."""
    starts = [number for number, line in enumerate(lines, 1) if _STARTS.match(line) and not _CONTINUES.match(line)]
    pieces: list[tuple[int, int, list[ast.stmt] | None]] = []
    if not starts:
        return [(1, len(lines), None)]
    starts[0] = 1
    bounds = [*starts, len(lines) + 1]
    index = 0
    while index < len(starts):
        found = _longest(lines, bounds, index)
        if found is None:
            pieces.append((bounds[index], bounds[index + 1] - 1, None))
            index += 1
        else:
            end, statements = found
            pieces.append((bounds[index], bounds[end] - 1, statements))
            index = end
    return pieces


def _longest(lines: list[str], bounds: list[int], index: int) -> tuple[int, list[ast.stmt]] | None:
    """The smallest run of pieces from `index` on that parses: where it ends, and its statements."""
    last = min(index + _MOST_TRIES, len(bounds) - 1)
    for end in range(index + 1, last + 1):
        text = "\n".join(lines[bounds[index] - 1 : bounds[end] - 1]) + "\n"
        try:
            return end, parse_statements(text)
        except SYNTAX_ERRORS as error:
            if not _may_go_on(error):
                return None
    return None


def _may_go_on(error: Exception) -> bool:
    """Whether more text could make it whole: something was opened and not closed."""
    message = str(getattr(error, "msg", ""))
    return "unterminated triple" in message or "was never closed" in message or "EOF" in message or "decorator" in message
