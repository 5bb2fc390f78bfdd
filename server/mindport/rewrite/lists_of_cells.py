"""Lists of layers with what `CellList` refuses and torch's ModuleList takes: None in the place of a layer, for which a
class that takes it stands for `CellList`, and the tuple of a parameter like `*layers`, which becomes a list."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from typing import TypeGuard

from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree

LIST_WITH_NONE = "CellListWithNone"
"""The helper that is a list of cells and takes None."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def with_lists_of_cells(text: str) -> str:
    """A converted text whose lists of layers take what is put into them. The same text where they do as it is, or where
    it does not parse."""
    if "CellList(" not in text:
        return text
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    lines = LineIndex(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, _Function)]
    with_none = [call.func for function in functions for call in _lists_with_none(function)]
    edits = {TextEdit(start_of(name, lines), end_of(name, lines), LIST_WITH_NONE) for name in with_none}
    for name in (name for function in functions for name in _collected(function)):
        edits.add(TextEdit(start_of(name, lines), end_of(name, lines), f"list({name.id})"))
    text = with_edits(text, edits)
    return with_definition(text, LIST_WITH_NONE) if with_none else text


def _lists_with_none(function: _Function) -> Iterator[ast.Call]:
    """The calls in a function that make a list of layers of which some may be None."""
    nodes = list(ast.walk(function))
    variables = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and _is_none_or(node.value, frozenset())
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    filled = {
        ast.unparse(node.func.value)
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append"
        if any(_is_none_or(one, variables) for one in node.args)
    }
    for node in nodes:
        if isinstance(node, ast.Assign) and {ast.unparse(one) for one in node.targets} & filled:
            yield from (one for one in ast.walk(node.value) if _is_list_of_cells(one))
        elif _is_list_of_cells(node) and any(_is_none_or(one, variables) for one in _elements(node)):
            yield node


def _collected(function: _Function) -> Iterator[ast.Name]:
    """The names in a function from which a list of layers is made, and which are the tuple of its `*layers`."""
    star = function.args.vararg.arg if function.args.vararg else ""
    nodes = list(ast.walk(function))
    if any(
        isinstance(node, ast.Name) and node.id == star and isinstance(node.ctx, ast.Store) for node in nodes
    ):
        return
    for node in nodes:
        match node:
            case ast.Call(args=[ast.Name(id=name) as collected], keywords=[]) if name == star:
                if _is_list_of_cells(node):
                    yield collected


def _is_list_of_cells(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("nn.CellList", "mindspore.nn.CellList")


def _elements(call: ast.Call) -> Iterator[ast.expr]:
    for argument in call.args:
        match argument:
            case ast.List(elts=elements):
                yield from elements
            case ast.BinOp(left=ast.List(elts=elements), op=ast.Mult()):
                yield from elements
            case ast.ListComp(elt=element):
                yield element


def _is_none_or(value: ast.expr, variables: Container[str]) -> bool:
    """Whether an expression is None on one of its ways."""
    match value:
        case ast.Constant(value=None):
            return True
        case ast.IfExp(body=body, orelse=orelse):
            return _is_none_or(body, variables) or _is_none_or(orelse, variables)
        case ast.Name(id=name):
            return name in variables
    return False
