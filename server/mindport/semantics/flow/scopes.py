"""Which names a body binds, and which of them belong to somebody else."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import NamedTuple

Body = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef | ast.Module
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Scope(NamedTuple):
    """What a body does with names. `yields`: it is a generator; `cleans_up`: something runs when that is closed
    early."""

    bound: frozenset[str]
    globals: frozenset[str]
    nonlocals: frozenset[str]
    yields: bool
    cleans_up: bool


@functools.lru_cache(maxsize=4096)
def scope_of(body: Body) -> Scope:
    """The scope of a function, lambda, class or module."""
    bound: set[str] = set()
    outer: set[str] = set()
    nonlocals: set[str] = set()
    yields = cleans_up = False
    if isinstance(body, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        arguments = body.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        bound |= {one.arg for one in (*every, arguments.vararg, arguments.kwarg) if one is not None}
    statements: list[ast.AST] = [body.body] if isinstance(body, ast.Lambda) else list(body.body)
    for node in (inner for statement in statements for inner in _own_nodes(statement)):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, _DEFINITIONS):
            bound.add(node.name)
        elif isinstance(node, ast.alias):
            bound.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            bound.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            bound.add(node.rest)
        elif isinstance(node, ast.Global):
            outer |= set(node.names)
        elif isinstance(node, ast.Nonlocal):
            nonlocals |= set(node.names)
        elif isinstance(node, ast.Yield | ast.YieldFrom):
            yields = True
        elif isinstance(node, ast.With) or (isinstance(node, ast.Try) and (node.finalbody or node.handlers)):
            cleans_up = True
    return Scope(
        frozenset(bound - outer - nonlocals), frozenset(outer), frozenset(nonlocals), yields, cleans_up
    )


@functools.lru_cache(maxsize=1024)
def rebound_names(tree: ast.Module) -> frozenset[str]:
    """The names of a file that some function sets though they are not its own."""
    return frozenset(
        name for node in ast.walk(tree) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names
    )


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is in it, without the insides of other scopes. An assignment expression in a comprehension binds
    outside of it."""
    yield node
    if isinstance(node, _DEFINITIONS):
        for part in (*node.decorator_list, *_defaults(node)):
            yield from _own_nodes(part)
        return
    if isinstance(node, ast.Lambda):
        for part in _defaults(node):
            yield from _own_nodes(part)
        return
    if isinstance(node, _COMPREHENSIONS):
        yield from _own_nodes(node.generators[0].iter)
        for inner in ast.walk(node):
            if isinstance(inner, ast.NamedExpr):
                yield inner.target
        return
    for child in ast.iter_child_nodes(node):
        yield from _own_nodes(child)


def _defaults(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.ClassDef):
        return [*node.bases, *(keyword.value for keyword in node.keywords)]
    arguments: ast.arguments = node.args  # type: ignore[attr-defined]
    return [*arguments.defaults, *(one for one in arguments.kw_defaults if one is not None)]
