"""Cells that change what they are restored from, as torch's own encoder layer does, `state["activation"] = relu`: what
MindSpore copies and restores a cell from is a pair, of which the table of attributes is the second part."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node

_METHOD, _FIRST = "__setstate__", "cell_state"


def with_restored_cells(text: str) -> str:
    """A converted text in which cells take the pair apart and hand it on whole. The same text where none has such a
    method, or where one does something else with it than to hand it to its base."""
    if f"def {_METHOD}(" not in text or _FIRST in text:
        return text
    return with_edits_of_tree(text, _edits_of_cells)


def _edits_of_cells(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for node in every_node(tree):
        if not isinstance(node, ast.ClassDef) or not any(_is_method(one, "construct") for one in node.body):
            continue
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and _is_method(method, _METHOD):
                yield from _edits(method, lines)


def _is_method(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == name


def _edits(method: ast.FunctionDef, lines: LineIndex) -> list[TextEdit]:
    match method.args:
        case ast.arguments(posonlyargs=[], args=[_, state], vararg=None, kwonlyargs=[], kwarg=None):
            name = state.arg
        case _:
            return []
    handed_on = []
    for node in every_node(method):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=attr),
                args=[ast.Name(id=given) as argument],
                keywords=[],
            ) if attr == _METHOD and given == name:
                handed_on.append(argument)
    first = method.body[0]
    # A body on the line of its `def`, or one that only hands the state on, needs nothing.
    if len(handed_on) != 1 or first.lineno == method.lineno or len(method.body) == 1:
        return []
    start = start_of(first, lines)
    argument = handed_on[0]
    return [
        TextEdit(start, start, f"{_FIRST}, {name} = {name}\n{' ' * first.col_offset}"),
        TextEdit(start_of(argument, lines), end_of(argument, lines), f"({_FIRST}, {name})"),
    ]
