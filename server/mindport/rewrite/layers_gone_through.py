"""Code that goes through the layers of a network, as it is written for MindSpore: `net.cells_and_names()`, or a
function of the catalogue that leaves out what MindSpore's layers keep inside for their own use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.source.trees import every_node

GOES_THROUGH_LAYERS = re.compile(
    r"\b(?:cells_and_names|name_cells|cells|apply|_cells|torch_(?:named_modules|named_children|apply))\b"
)


def gives_all_named(iterated: ast.expr) -> bool:
    """Whether what is iterated gives all cells of a network with their names."""
    match iterated:
        case (
            ast.Call(func=ast.Attribute(attr="cells_and_names"))
            | ast.Call(func=ast.Name(id="torch_named_modules"))
        ):
            return True
    return False


def gives_all(iterated: ast.expr) -> bool:
    """Whether what is iterated gives all cells of a network: what becomes of `net.modules()`."""
    match iterated:
        case ast.GeneratorExp(generators=[ast.comprehension(iter=gone_through)]):
            return gives_all_named(gone_through)
    return False


def gives_named_parts(iterated: ast.expr) -> bool:
    """Whether what is iterated gives the cells right inside of one with their names."""
    match iterated:
        case (
            ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Attribute(attr="name_cells")), attr="items"))
            | ast.Call(func=ast.Name(id="torch_named_children"))
        ):
            return True
    return False


def gives_parts(iterated: ast.expr) -> bool:
    """Whether what is iterated gives the cells right inside of one: what becomes of `net.children()`."""
    match iterated:
        case ast.Call(func=ast.Attribute(attr="cells"), args=[]):
            return True
        case ast.GeneratorExp(generators=[ast.comprehension(iter=gone_through)]):
            return gives_named_parts(gone_through)
    return False


def applied_functions(tree: ast.AST) -> Iterator[ast.expr]:
    """What is applied to all cells of a network: `f` of `net.apply(f)`."""
    for node in every_node(tree):
        match node:
            case (
                ast.Call(func=ast.Attribute(attr="apply"), args=[function], keywords=[])
                | ast.Call(func=ast.Name(id="torch_apply"), args=[_, function], keywords=[])
            ):
                yield function
