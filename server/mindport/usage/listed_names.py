"""Finds lookups in a module by the names that a loop over the same module's `__dict__` takes out of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.source.trees import every_node


def lookups_of_listed_names(
    target: ast.expr, listed: ast.expr, inside: Iterable[ast.AST]
) -> Iterator[ast.Attribute]:
    """The `models.__dict__` of each `models.__dict__[name]` inside a loop or comprehension `for name in ...` over
    something of `models.__dict__`: whatever that list has, these find, so they ask for no name of their own."""
    if not isinstance(target, ast.Name):
        return
    attributes = (node for node in every_node(listed) if isinstance(node, ast.Attribute))
    modules = {ast.dump(node.value) for node in attributes if node.attr == "__dict__"}
    if not modules:
        return
    for part in inside:
        for node in every_node(part):
            match node:
                case ast.Subscript(
                    value=ast.Attribute(attr="__dict__") as found, slice=ast.Name(id=target.id)
                ):
                    if ast.dump(found.value) in modules:
                        yield found
