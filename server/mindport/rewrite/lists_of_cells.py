"""Lists of layers with what `CellList` refuses and torch's ModuleList takes: None in the place of a layer, put there or
asked for, for which a class that takes it stands for `CellList`, and the tuple of a parameter like `*layers`, which
becomes a list."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Sequence
from typing import TypeGuard

from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node

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
    functions = [node for node in every_node(tree) if isinstance(node, _Function)]
    classes = [node for node in every_node(tree) if isinstance(node, ast.ClassDef)]
    with_none = [call.func for function in functions for call in _lists_with_none(function)]
    with_none += [call.func for network in classes for call in _lists_asked_for_none(network)]
    edits = {TextEdit(start_of(name, lines), end_of(name, lines), LIST_WITH_NONE) for name in with_none}
    for name in (name for function in functions for name in _collected(function)):
        edits.add(TextEdit(start_of(name, lines), end_of(name, lines), f"list({name.id})"))
    text = with_edits(text, edits)
    return with_definition(text, LIST_WITH_NONE) if with_none else text


def _lists_with_none(function: _Function) -> Iterator[ast.Call]:
    """The calls in a function that make a list of layers of which some may be None."""
    nodes = every_node(function)
    variables = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and _is_none_or(node.value, frozenset())
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    holders = _holders(nodes, variables)
    for node in nodes:
        if isinstance(node, ast.Assign) and {ast.unparse(one) for one in node.targets} & holders:
            yield from (one for one in every_node(node.value) if _is_list_of_cells(one))
        elif _is_list_of_cells(node) and any(_holds_none(one, holders, variables) for one in node.args):
            yield node


def _lists_asked_for_none(network: ast.ClassDef) -> Iterator[ast.Call]:
    """The calls that make a list of layers, an attribute of `self`, of whose elements the class asks whether they are
    None: `for x, layer in zip(xs, self.layers) if layer is not None`."""
    nodes = every_node(network)
    asked = {ast.unparse(name) for node in nodes if (name := _asked_for_none(node)) is not None}
    lists = {
        list_name
        for node in nodes
        if asked
        for target, iterated in _loops(node)
        for name, list_name in _drawn(target, iterated)
        if name in asked
    } | {name.rpartition("[")[0] for name in asked if name.endswith("]")}
    for node in nodes if lists else ():
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self")) as target], value=value):
                if _is_list_of_cells(value) and ast.unparse(target) in lists:
                    yield value


def _asked_for_none(node: ast.AST) -> ast.expr | None:
    """What a comparison compares with None."""
    match node:
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return left
    return None


def _loops(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a loop or a comprehension binds, and what it goes through."""
    if isinstance(node, ast.For | ast.comprehension):
        yield node.target, node.iter


def _drawn(target: ast.expr, iterated: ast.expr) -> Iterator[tuple[str, str]]:
    """The names that a loop binds to elements of attributes of `self`, each with its attribute."""
    match iterated, target:
        case ast.Call(func=ast.Name(id="zip"), args=parts), ast.Tuple(elts=names) if len(parts) == len(names):
            for name, part in zip(names, parts, strict=True):
                yield from _drawn(name, part)
        case ast.Call(func=ast.Name(id="enumerate"), args=[part, *_]), ast.Tuple(elts=[_, name]):
            yield from _drawn(name, part)
        case ast.Call(func=ast.Name(id="list" | "tuple" | "reversed"), args=[part]), _:
            yield from _drawn(target, part)
        case ast.Subscript(value=part, slice=ast.Slice()), _:
            yield from _drawn(target, part)
        case ast.Attribute(value=ast.Name(id="self")), ast.Name(id=name):
            yield name, ast.unparse(iterated)


def _holders(nodes: Sequence[ast.AST], variables: Container[str]) -> frozenset[str]:
    """The names, as they are written, of sequences that come to hold None: `layers.append(None)`, `[None] * n`."""
    holders: frozenset[str] = frozenset()
    while True:
        found = {
            name
            for node in nodes
            for name, value in _filled(node, variables)
            if _holds_none(value, holders, variables)
        }
        if found <= holders:
            return holders
        holders |= found


def _filled(node: ast.AST, variables: Container[str]) -> Iterator[tuple[str, ast.expr]]:
    """What a statement or call puts into a sequence, as a sequence, with the name of the one that gets it."""
    match node:
        case ast.Assign(targets=[ast.Subscript(value=target, slice=place)], value=value):
            if not isinstance(place, ast.Slice):
                yield ast.unparse(target), ast.List([value])
        case ast.Assign(targets=[target], value=value) if not _is_none_or(value, variables):
            yield ast.unparse(target), value
        case ast.AugAssign(target=target, op=ast.Add(), value=value):
            yield ast.unparse(target), value
        case ast.Call(func=ast.Attribute(value=target, attr="append"), args=[value]):
            yield ast.unparse(target), ast.List([value])
        case ast.Call(func=ast.Attribute(value=target, attr="insert"), args=[_, value]):
            yield ast.unparse(target), ast.List([value])
        case ast.Call(func=ast.Attribute(value=target, attr="extend"), args=[value]):
            yield ast.unparse(target), value


def _collected(function: _Function) -> Iterator[ast.Name]:
    """The names in a function from which a list of layers is made, and which are the tuple of its `*layers`."""
    star = function.args.vararg.arg if function.args.vararg else ""
    nodes = every_node(function)
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


def _holds_none(value: ast.expr, holders: Container[str], variables: Container[str]) -> bool:
    """Whether an expression is a sequence of which an element is None on one of its ways."""
    match value:
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return any(_is_element_none(one, holders, variables) for one in elements)
        case ast.ListComp(elt=element) | ast.GeneratorExp(elt=element):
            return _is_none_or(element, variables)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _holds_none(left, holders, variables) or _holds_none(right, holders, variables)
        case ast.BinOp(left=repeated, op=ast.Mult()):
            return _holds_none(repeated, holders, variables)
        case ast.Call(func=ast.Name(id="list" | "tuple" | "reversed"), args=[inner]):
            return _holds_none(inner, holders, variables)
        case ast.Subscript(value=inner, slice=ast.Slice()):
            return _holds_none(inner, holders, variables)
        case ast.Name() | ast.Attribute():
            return ast.unparse(value) in holders
    return False


def _is_element_none(element: ast.expr, holders: Container[str], variables: Container[str]) -> bool:
    if isinstance(element, ast.Starred):
        return _holds_none(element.value, holders, variables)
    return _is_none_or(element, variables)


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
