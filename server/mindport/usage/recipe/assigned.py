"""What functions assign to their own names."""

from __future__ import annotations

import ast
import functools

from mindport.semantics.flow.scopes import scope_of
from mindport.source.trees import every_node
from mindport.usage.recipe.code import Function, SourceFile


def is_local(file: SourceFile, node: ast.Name) -> bool:
    """Whether a function around binds a name."""
    return any(node.id in scope_of(one).bound for one in file.outwards(node) if isinstance(one, Function))


def assigned_before(scope: Function, use: ast.Name) -> list[ast.expr]:
    """The values given to a name in a function above its use."""
    return [value for value in _assignments(scope).get(use.id, ()) if value.lineno < use.lineno]


@functools.lru_cache(maxsize=1024)
def _assignments(scope: Function) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for node in every_node(scope):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for name in {target.id for target in targets if isinstance(target, ast.Name)}:
                found.setdefault(name, []).append(node.value)
    return found


@functools.lru_cache(maxsize=1024)
def counted_in(scope: Function) -> frozenset[str]:
    """The names that a function counts up or scales, by `lr *= size`: how often, only a run knows."""
    return frozenset(
        node.target.id
        for node in every_node(scope)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    )
