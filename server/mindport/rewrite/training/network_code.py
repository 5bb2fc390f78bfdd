"""The functions of a file that networks run, `forward` and what it calls: there a gradient may be recorded, also where
a step is a function that `value_and_grad` calls."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterator

from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node

_FORWARD = ("forward", "construct")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def is_in_network(line: int, text: str) -> bool:
    """Whether a 1-based line of a text stands in such a function, told by their names."""
    return any(first <= line <= last for first, last in _network_lines(text))


@functools.lru_cache(maxsize=8)
def _network_lines(text: str) -> tuple[tuple[int, int], ...]:
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return ()
    functions: defaultdict[str, list[ast.stmt]] = defaultdict(list)
    waiting: list[ast.stmt] = []
    for node in every_node(tree):
        if isinstance(node, _FUNCTIONS):
            functions[node.name].append(node)
        elif isinstance(node, ast.ClassDef):
            waiting += (one for one in node.body if isinstance(one, _FUNCTIONS) and one.name in _FORWARD)
    found: dict[ast.stmt, tuple[int, int]] = {}
    while waiting:
        function = waiting.pop()
        if function not in found:
            found[function] = (function.lineno, function.end_lineno or function.lineno)
            waiting += (one for name in _called(function) for one in functions.get(name, ()))
    return tuple(found.values())


def _called(function: ast.stmt) -> Iterator[str]:
    """The names of the functions and of the object's own methods that a function calls."""
    for node in every_node(function):
        match node:
            case ast.Call(func=ast.Name(id=name)):
                yield name
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                yield name
