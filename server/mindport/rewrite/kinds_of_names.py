"""What the names of one scope stand for, as far as the scope itself says so: whether they are complex, or whole
numbers, is read from what they are given."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from mindport.source.trees import children, every_node

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.Lambda, ast.ClassDef)

IsOfKind = Callable[[ast.expr, frozenset[str]], bool]
"""Whether an expression is of a kind where these names are."""


def scopes_of_the_user(tree: ast.Module) -> Iterator[ast.AST]:
    """The module, the functions in it and the lambdas of these, without the helpers of a converted text."""
    waiting: list[ast.AST] = [tree, *(node for node in every_node(tree) if isinstance(node, _FUNCTIONS))]
    while waiting:
        scope = waiting.pop(0)
        if not isinstance(scope, _FUNCTIONS) or not scope.name.startswith("torch_"):
            yield scope
            waiting += [node for node in nodes_of(scope) if isinstance(node, ast.Lambda)]


def names_of_kind(scope: ast.AST, is_of_kind: IsOfKind) -> frozenset[str]:
    """The names that a scope gives something of the kind, directly or by another name."""
    bound = [
        (target.id, node.value)
        for node in nodes_of(scope)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    names: frozenset[str] = frozenset()
    while True:
        found = frozenset(name for name, value in bound if is_of_kind(value, names))
        if found == names:
            return names
        names = found


def nodes_of(scope: ast.AST) -> Iterator[ast.AST]:
    """What belongs to a scope itself, without the functions and classes in it."""
    waiting = children(scope)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += children(node)
