"""Indexes that are ranges, `x[range(n), labels]`: MindSpore's tensors take lists of numbers, but no range. To whatever
else takes a range as an index, a list of its numbers is the same."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import children, every_node
from mindport.source.written_names import assigned_pairs


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
    """What is an index, or one of several, and a range: calls of `range`, and variables of a function that nothing but
    ranges and lists are assigned to. Those in f-strings have no reliable places."""
    pending: list[tuple[ast.AST, frozenset[str]]] = [(tree, frozenset())]
    while pending:
        node, known = pending.pop()
        if isinstance(node, ast.JoinedStr):
            continue
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            known = _names_of_ranges(node)
        if isinstance(node, ast.Subscript):
            several = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            yield from (
                one for one in several if _is_range(one) or (isinstance(one, ast.Name) and one.id in known)
            )
        pending += ((child, known) for child in children(node))


def _names_of_ranges(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    assigned: dict[str, list[ast.expr]] = {}
    bound: Counter[str] = Counter()
    for node in every_node(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound[node.id] += 1
        elif isinstance(node, ast.arg):
            bound[node.arg] += 1
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                for one, value in assigned_pairs(target, node.value):
                    if isinstance(one, ast.Name):
                        assigned.setdefault(one.id, []).append(value)
    return frozenset(
        name
        for name, values in assigned.items()
        if bound[name] == len(values)
        and any(map(_is_range, values))
        and all(_is_range(value) or isinstance(value, (ast.List, ast.ListComp)) for value in values)
    )


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"
