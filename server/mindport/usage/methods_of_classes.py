"""The methods of the classes of a file, and what they keep in attributes of their object."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from mindport.source.trees import every_node


def methods_of_classes(
    members: Iterable[tuple[str, Sequence[ast.stmt]]],
) -> dict[str, list[ast.FunctionDef]]:
    """The methods by the names of their classes, of classes inside of functions and classes, too. `members` are the
    statements of a file, each with the class of the file that it stands in, if any."""
    classes: defaultdict[str, list[ast.FunctionDef]] = defaultdict(list)
    for owner, statements in members:
        if owner:
            classes[owner] += _functions(statements)
        for node in (node for one in statements for node in every_node(one)):
            if isinstance(node, ast.ClassDef):
                classes[node.name] += _functions(node.body)
    return classes


def kept_by(methods: Iterable[ast.FunctionDef]) -> Iterator[tuple[str, ast.expr, ast.FunctionDef]]:
    """What methods assign to attributes of their object: name, value, and where."""
    for method in methods:
        for node in every_node(method):
            match node:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
                    yield name, value, method


def _functions(statements: Iterable[ast.stmt]) -> Iterator[ast.FunctionDef]:
    return (one for one in statements if isinstance(one, ast.FunctionDef))
