"""Indexes that are ranges, `x[range(n), labels]`: MindSpore's tensors take lists of numbers, but no range. To whatever
else takes a range as an index, a list of its numbers is the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex


def with_lists_for_ranges(text: str) -> str:
    """A converted text in which no index is a range. The same text where there is none, or where it does not parse."""
    if "range(" not in text:
        return text
    return with_edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for index in _ranges(tree):
        yield from (TextEdit(place, place, new) for place, new in _list_of(index, lines))


def _list_of(index: ast.expr, lines: LineIndex) -> tuple[tuple[int, str], tuple[int, str]]:
    return (start_of(index, lines), "list("), (end_of(index, lines), ")")


def _ranges(tree: ast.Module) -> Iterator[ast.expr]:
    """The calls of `range` that are an index, or one of several; those in f-strings have no reliable places."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.JoinedStr):
            continue
        if isinstance(node, ast.Subscript):
            several = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            yield from filter(_is_range, several)
        pending += ast.iter_child_nodes(node)


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"
