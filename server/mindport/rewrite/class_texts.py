"""Code that looks for words in the text of a layer's class, `"batchnorm" in str(type(layer))`: that text names modules
of torch, which MindSpore does not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.source.trees import every_node

CLASS_TEXT = "torch_class_text"
"""The helper that gives the text of a class in torch."""


def examined_class_texts(scope: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Each expression that makes a text of the class of a variable and is examined then, compared or taken apart, and
    the name of the variable. What is only printed, and the class of `self`, which is the project's, are left out."""
    texts = {node: layer for node in every_node(scope) if (layer := _layer_of(node)) and layer != "self"}
    variables: dict[str, set[ast.expr]] = {}
    for node in every_node(scope):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if value in texts:
                variables.setdefault(name, set()).add(value)
    examined: set[ast.expr] = set()
    for node in every_node(scope):
        for one in _examined(node):
            examined |= variables.get(one.id, set()) if isinstance(one, ast.Name) else {one}
    for node, layer in texts.items():
        if node in examined:
            yield node, layer


def _layer_of(node: ast.AST) -> str | None:
    match node:
        case ast.Call(
            func=ast.Name(id="str" | "repr"),
            args=[
                ast.Attribute(value=ast.Name(id=layer), attr="__class__")
                | ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=layer)], keywords=[])
            ],
            keywords=[],
        ):
            return layer
    return None


def _examined(node: ast.AST) -> Iterator[ast.expr]:
    """What an expression compares, or asks for a part of itself."""
    match node:
        case ast.Compare(left=left, comparators=others):
            yield from (left, *others)
        case ast.Call(func=ast.Attribute(value=value)) | ast.Subscript(value=value):
            yield value
