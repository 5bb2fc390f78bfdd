"""Which functions of a file are compiled with its networks in graph mode. Helpers of mindport's own are left out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.mapping.helper_source import helper_source
from mindport.source.trees import every_node


def functions_of_networks(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The methods of the classes of cells but those that Python calls, such as `__init__`, and the functions of the
    file that these name, or that such functions name."""
    functions = {node.name: node for node in functions_of_module(tree)}
    todo = [
        node
        for owner in _cells(tree)
        for node in owner.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("__")
    ]
    while todo:
        function = todo.pop()
        yield function
        named = {node.id for node in every_node(function) if isinstance(node, ast.Name)}
        todo += [functions.pop(name) for name in sorted(named & functions.keys())]


def functions_of_module(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The functions of the file itself."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not helper_source(node.name):
            yield node


def _cells(tree: ast.Module) -> Iterator[ast.ClassDef]:
    """The classes with a `construct`, and those derived from a Cell or from one of them."""
    known: set[str] = set()
    for node in every_node(tree):
        if not isinstance(node, ast.ClassDef) or helper_source(node.name):
            continue
        has_construct = any(isinstance(one, ast.FunctionDef) and one.name == "construct" for one in node.body)
        bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        if has_construct or "Cell" in bases or bases & known:
            known.add(node.name)
            yield node
