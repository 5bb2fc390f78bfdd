"""Parameters of layers that are drawn again where nobody knows the layer's class: `if hasattr(m, "reset_parameters"):`
in a function that is applied to a network, or in a loop over its parts. MindSpore's layers have no such method, so the
question would be answered with no, and the network would keep its weights without a word."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.source.written_names import last_name

_METHOD = "reset_parameters"
_ASKS, _RESETS = "torch_parameter_reset", "torch_reset_parameters"
# What goes through the layers of a network, converted or not.
_LAYERS_OF = frozenset(
    ("cells", "cells_and_names", "name_cells", "children", "named_children", "modules", "named_modules")
)


def with_layers_drawn_again(before: str, text: str) -> str:
    """A text converted from `before` in which such layers are asked and drawn again by a function that knows
    MindSpore's. The same text where there are none, or where it does not parse."""
    if _METHOD not in text or not imports_torch(before):
        return text
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    lines = LineIndex(text)
    found = {start_of(node, lines): (node, helper, written) for node, helper, written in _resets(tree)}
    edits = [TextEdit(start, end_of(node, lines), written) for start, (node, _, written) in found.items()]
    text = with_edits(text, edits)
    if any(helper == _RESETS for _, helper, _ in found.values()):
        text = with_definition(text, _RESETS)
    return with_definition(text, _ASKS) if found else text


def _resets(tree: ast.Module) -> Iterator[tuple[ast.expr, str, str]]:
    """The expressions to be written anew, each with the helper that it takes and its new text: questions whether
    something has the method, and calls of it on what may be any layer."""
    made = set(_made_by_class(tree))
    own = {id(node) for part in tree.body if _is_helper(part) for node in every_node(part)}
    for node in every_node(tree):
        if id(node) in own:
            continue
        match node:
            case ast.Call(func=ast.Name(id="hasattr"), args=[asked, ast.Constant(value=name)]) if (
                name == _METHOD
            ):
                yield node, _ASKS, f"{_ASKS}({ast.unparse(asked)}) is not None"
            case ast.Call(
                func=ast.Name(id="getattr"),
                args=[asked, ast.Constant(value=name), ast.Constant(value=None)],
            ) if name == _METHOD:
                yield node, _ASKS, f"{_ASKS}({ast.unparse(asked)})"
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute() | ast.Subscript() as layer, attr=attr),
                args=[],
                keywords=[],
            ) if attr == _METHOD and _part(layer) not in made:
                yield node, _RESETS, f"{_RESETS}({ast.unparse(layer)})"
            case ast.FunctionDef(args=ast.arguments(args=[ast.arg(arg=layer)])) if layer != "self":
                yield from _calls(node, layer)
            case ast.For(target=target, iter=iterated) | ast.comprehension(target=target, iter=iterated) if (
                _goes_through_layers(iterated)
            ):
                for layer in _names(target):
                    yield from _calls(node, layer)


def _calls(code: ast.AST, layer: str) -> Iterator[tuple[ast.expr, str, str]]:
    for node in every_node(code):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[], keywords=[]) if (
                name == layer and attr == _METHOD
            ):
                yield node, _RESETS, f"{_RESETS}({layer})"


def _goes_through_layers(iterated: ast.expr) -> bool:
    """Whether what is iterated may be layers of a network: `net.cells()`, `net.name_cells().items()`, `self.norms`."""
    match iterated:
        case ast.Call(func=ast.Attribute(value=value, attr=attr)):
            is_table = attr in ("values", "items")
            return _goes_through_layers(value) if is_table else attr in _LAYERS_OF
        case ast.Call(func=ast.Name(id=function)):
            return function in ("torch_named_modules", "torch_named_children")
        case ast.GeneratorExp(generators=[ast.comprehension(iter=gone_through)]):
            return _goes_through_layers(gone_through)  # what becomes of `net.modules()`
        case ast.Attribute():
            return True
    return False


def _made_by_class(tree: ast.Module) -> Iterator[str]:
    """The attributes of `self` that are made by a class that is named there, or are lists of such: where it was torch's
    the call is written anew by then, so the class is one of the project's, which has a method of its own."""
    for node in every_node(tree):
        match node:
            case ast.Assign(targets=[ast.Attribute(attr=attr)], value=value):
                callees = (one.func for one in every_node(value) if isinstance(one, ast.Call))
                if any(last_name(callee)[:1].isupper() for callee in callees):
                    yield attr


def _part(layer: ast.expr) -> str:
    """The attribute that a layer is, or is found in: `a` of `self.a` and of `self.a[0]`."""
    while isinstance(layer, ast.Subscript):
        layer = layer.value
    return layer.attr if isinstance(layer, ast.Attribute) else ""


def _is_helper(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.FunctionDef) and statement.name in (_ASKS, _RESETS)


def _names(target: ast.expr) -> Iterator[str]:
    return (node.id for node in every_node(target) if isinstance(node, ast.Name))
