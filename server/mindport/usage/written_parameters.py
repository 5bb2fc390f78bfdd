"""Functions that write to what they are given, `x[~mask] = 0` of a parameter, as a network may do with its input."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node

# What may be such a statement: the name that it begins with. Keys of dictionaries are none.
_WRITES = re.compile(r"^[ \t]+(\w+)(?:\[(?!['\"])[^\n=]*\][ ]*[-+*/|&]?=(?!=)|\.\w+_\()", re.MULTILINE)
# What a function is given, up to the first parenthesis among it.
_GIVEN = re.compile(r"\bdef \w+\(([^()]*)")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def writes_to_given(text: str) -> bool:
    """Whether a text has a function that does so while the name still is what it was given."""
    names = set(_WRITES.findall(text)) - {"self"}
    if not names or names.isdisjoint(re.findall(r"\w+", " ".join(_GIVEN.findall(text)))):
        return False
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return False
    functions = (node for node in every_node(tree) if isinstance(node, _FUNCTIONS))
    return any(names.intersection(_written(function)) for function in functions)


def _written(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The parameters of a function that it writes to above every place where the name gets another value."""
    given = function.args
    names = {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
    bound: dict[str, int] = {}
    nodes = [node for statement in function.body for node in every_node(statement)]
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Store):
            bound[node.id] = min(bound.get(node.id, node.lineno), node.lineno)
    for node in nodes:
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=index, ctx=ast.Store()):
                is_tensors = not (isinstance(index, ast.Constant) and isinstance(index.value, str))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)):
                is_tensors = (
                    method.endswith("_") and not method.startswith("_") and method != "requires_grad_"
                )
            case _:
                continue
        if is_tensors and name in names and node.lineno < bound.get(name, node.lineno + 1):
            yield name
