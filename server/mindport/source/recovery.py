"""Finds the statements of a text that does not parse as a whole, when no earlier version of it is known."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import NamedTuple

from mindport.source.syntax import SYNTAX_ERRORS, parse_statements

_STARTS = re.compile(r"[A-Za-z_@\"'(\[{]")
_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b|[)\]}]")
_INDENTED = re.compile(r"([ \t]+)[^\s#]")
_MOST_TRIES = 40


class Piece(NamedTuple):
    """Some lines that begin like a top-level statement, their statements, and what is wrong with them. A class with a
    broken method has both: the method is left out."""

    first: int
    last: int
    statements: list[ast.stmt]
    error: Exception | None
    error_shift: int = 0  # lines to add to those the error speaks of


def recovered_pieces(lines: list[str]) -> list[Piece]:
    """The pieces of a text.

    They begin on lines that look like the start of a top-level statement. A piece that does not parse is tried
    together with those behind it, as it may be a string or a bracket over several of them."""
    starts: list[int] = []
    for number, line in enumerate(lines, 1):
        if _STARTS.match(line) and not _CONTINUES.match(line):
            if starts and lines[starts[-1] - 1].startswith("@"):
                continue  # what a decorator stands above
            starts.append(number)
    if not starts:
        starts = [1]
    starts[0] = 1
    bounds = [*starts, len(lines) + 1]
    pieces: list[Piece] = []
    index = 0
    while index < len(starts):
        first = bounds[index]
        end, found = _longest(lines, bounds, index)
        if isinstance(found, Exception):
            last = bounds[index + 1] - 1
            pieces.append(
                _class_without_broken_members(lines, first, last) or Piece(first, last, [], found, first - 1)
            )
            index += 1
        else:
            pieces.append(Piece(first, bounds[end] - 1, found, None))
            index = end
    return pieces


def _class_without_broken_members(lines: list[str], first: int, last: int) -> Piece | None:
    """A class whose body parses once the members that do not are blanked."""
    begin = next((number for number in range(first, last + 1) if lines[number - 1].startswith("class ")), 0)
    indentation = next((match[1] for line in lines[begin:last] if (match := _INDENTED.match(line))), "")
    if not begin or not indentation:
        return None
    start = re.compile(re.escape(indentation) + r"[^\s#)\]}]")
    bounds = [number for number in range(begin + 1, last + 1) if start.match(lines[number - 1])]
    bounds.append(last + 1)
    kept = lines[first - 1 : last]
    first_error: Exception | None = None
    shift = 0
    for member, end in pairwise(bounds):
        text = "\n".join(("class _:", *lines[member - 1 : end - 1], ""))
        if _CONTINUES.match(lines[member - 1].strip()) or lines[member - 1].lstrip().startswith("@"):
            continue
        try:
            parse_statements(text)
        except SYNTAX_ERRORS as error:
            if first_error is None:
                first_error, shift = error, member - 2
            blank = [indentation + "pass", *([""] * (end - member - 1))]
            kept[member - first : end - first] = blank
    if first_error is None:
        return None
    try:
        return Piece(first, last, parse_statements("\n".join(kept) + "\n"), first_error, shift)
    except SYNTAX_ERRORS:
        return None


def _longest(lines: list[str], bounds: list[int], index: int) -> tuple[int, list[ast.stmt] | Exception]:
    """The smallest run of pieces from `index` on that parses: where it ends, and its statements; or what is wrong."""
    last = min(index + _MOST_TRIES, len(bounds) - 1)
    first_error: Exception = SyntaxError("does not parse")
    for end in range(index + 1, last + 1):
        text = "\n".join(lines[bounds[index] - 1 : bounds[end] - 1]) + "\n"
        try:
            return end, parse_statements(text)
        except SYNTAX_ERRORS as error:
            if end == index + 1:
                first_error = error
            if not _may_go_on(error):
                break
    return index, first_error


def _may_go_on(error: Exception) -> bool:
    """Whether more text could make it whole: something was opened and not closed."""
    message = str(getattr(error, "msg", ""))
    return (
        "unterminated triple" in message
        or "was never closed" in message
        or "EOF" in message
        or "decorator" in message
    )
