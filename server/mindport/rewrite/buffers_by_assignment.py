"""Writes `self.mask = nn.Buffer(mask)` as `self.register_buffer("mask", mask)`, which MindSpore has, too. The result is
torch, still."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import start_of, written_of
from mindport.rewrite.text_edits import TextEdit, edits_of_tree
from mindport.source import trees
from mindport.source.lines import LineIndex
from mindport.source.written_names import dotted_text

_MODULES = ("torch.nn", "torch.nn.parameter")


def buffers_by_assignment(text: str) -> list[TextEdit]:
    """The edits that register the buffers which a file assigns to attributes; none where the text does not parse."""
    if "Buffer" not in text or "torch" not in text:
        return []
    return edits_of_tree(text, _edits_of_tree)


def _edits_of_tree(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    names = frozenset(_names(tree))
    for node in trees.every_node(tree):
        yield from _edits(node, names, lines)


def _names(tree: ast.Module) -> Iterator[str]:
    """What the class is called in a file."""
    yield from (f"{module}.Buffer" for module in _MODULES)
    for node in trees.every_node(tree):
        match node:
            case ast.Import(names=names):
                yield from (f"{one.asname}.Buffer" for one in names if one.asname and one.name in _MODULES)
            case ast.ImportFrom(module="torch", names=names, level=0):
                yield from (f"{one.asname or one.name}.Buffer" for one in names if one.name == "nn")
            case ast.ImportFrom(module="torch.nn" | "torch.nn.parameter", names=names, level=0):
                yield from (one.asname or one.name for one in names if one.name == "Buffer")


def _edits(node: ast.AST, names: frozenset[str], lines: LineIndex) -> Iterator[TextEdit]:
    if not isinstance(node, (ast.Assign, ast.AnnAssign)):
        return
    start = start_of(node, lines)
    match node:
        case (
            ast.Assign(targets=[ast.Attribute() as target], value=ast.Call() as call)
            | ast.AnnAssign(target=ast.Attribute() as target, value=ast.Call() as call)
        ) if dotted_text(call.func) in names and (call.args or call.keywords):
            owner = written_of(target.value, lines)
            given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
            first = min(start_of(one, lines) for one in given)
            yield TextEdit(start, first, f'{owner}.register_buffer("{target.attr}", ')
            for one in call.keywords:
                if one.arg == "data":
                    yield TextEdit(start_of(one, lines), start_of(one, lines) + len("data"), "tensor")
