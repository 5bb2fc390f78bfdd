"""Pieces of a text with what stands there afterwards."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

import msgspec

from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree


class TextEdit(msgspec.Struct, frozen=True, order=True):
    """Replaces the text between two offsets."""

    start: int
    end: int
    new: str


def with_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """`text` after edits that do not overlap."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text


def edits_of_tree(
    text: str, edits_of: Callable[[ast.Module, LineIndex], Iterable[TextEdit]]
) -> list[TextEdit]:
    """The edits that are found in the tree of `text`; none where it does not parse."""
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return []
    return list(edits_of(tree, LineIndex(text)))


def with_edits_of_tree(text: str, edits_of: Callable[[ast.Module, LineIndex], Iterable[TextEdit]]) -> str:
    """`text` after the edits that are found in its tree. The same text where it does not parse."""
    return with_edits(text, edits_of_tree(text, edits_of))
