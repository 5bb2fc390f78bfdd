"""Writes to places that a tensor was searched for, `x[ops.nonzero(mask).squeeze(1)] = 0` by a name: there may be none,
and MindSpore's tensors refuse to be written by an index that has no elements. torch's then stay as they are."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import children, every_node

_SEARCH = "nonzero"
_MINDSPORE = ("ops.", "mint.", "mindspore.")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def with_writes_to_what_is_found(text: str) -> str:
    """A converted text whose writes by such an index ask first whether there is anything to be written. The same text
    where there is none, or where it does not parse."""
    if _SEARCH not in text:
        return text
    return with_edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for scope in _scopes(tree):
        yield from _edits_in(scope, lines)


def _scopes(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    yield tree.body
    for node in every_node(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.body


def _edits_in(body: list[ast.stmt], lines: LineIndex) -> Iterator[TextEdit]:
    text = lines.text
    nodes = list(_own_nodes(body))
    found = _found(nodes)
    asked = {id(write) for node in nodes if isinstance(node, ast.If) for write in node.body if _asks(node)}
    for node in nodes:
        index = _index_written_by(node)
        if index not in found or id(node) in asked or not isinstance(node, ast.stmt):
            continue
        start = start_of(node, lines)
        line_start = text.rfind("\n", 0, start) + 1
        indent = text[line_start:start]
        is_one_line = len(text[start : end_of(node, lines)].splitlines()) == 1
        if indent.strip() or not is_one_line:
            continue
        newline = "\r\n" if "\r\n" in text else "\n"
        more = "\t" if "\t" in indent else "    "
        yield TextEdit(start, start, f"if {index}.size:{newline}{indent}{more}")


def _own_nodes(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """What a scope runs itself."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _SCOPES):
            pending += children(node)


def _found(nodes: list[ast.AST]) -> set[str]:
    """The names that a scope gives to nothing but places that were searched for."""
    searches = {
        target: target.id
        for node in nodes
        if isinstance(node, ast.Assign) and _is_search(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    stored = (node for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))
    return set(searches.values()) - {node.id for node in stored if node not in searches}


def _is_search(node: ast.expr) -> bool:
    """Whether an expression is what `nonzero` found, or a part or another shape of it."""
    while True:
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == _SEARCH:
                return True
            node = node.func.value
        else:
            return False


def _index_written_by(node: ast.AST) -> str:
    """The name of the only index of a write whose value takes no part in anything else."""
    match node:
        case ast.Assign(targets=[ast.Subscript(slice=ast.Name(id=index))], value=value):
            pass
        case ast.AugAssign(target=ast.Subscript(slice=ast.Name(id=index)), value=value):
            pass
        case _:
            return ""
    calls = (one for one in every_node(value) if isinstance(one, (ast.Call, ast.Await, ast.NamedExpr)))
    is_plain = all(
        isinstance(one, ast.Call) and ast.unparse(one.func).startswith(_MINDSPORE) for one in calls
    )
    return index if is_plain else ""


def _asks(node: ast.If) -> bool:
    """Whether a test asks for the size of something, so that the writes below it are only run where there is any."""
    asked = {getattr(one, "attr", getattr(one, "id", "")) for one in every_node(node.test)}
    return bool(asked & {"size", "shape", "len"})
