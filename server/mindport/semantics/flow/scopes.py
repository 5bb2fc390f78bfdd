"""Which names a body binds, and which of them belong to somebody else."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

from mindport.source.trees import children, every_node

Body = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef | ast.Module
_COMPREHENSIONS = frozenset((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))
_DEFINITIONS = frozenset((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
_CAPTURES = frozenset((ast.ExceptHandler, ast.MatchAs, ast.MatchStar))
_LEAVES = frozenset((ast.Constant, ast.Load, ast.Store, ast.Del, ast.Pass, ast.arguments, type(None)))
# What binds nothing by itself.
_PLAIN = frozenset(
    (ast.Attribute, ast.Call, ast.BinOp, ast.Compare, ast.Subscript, ast.Assign, ast.AugAssign, ast.Expr, ast.Return,
     ast.If, ast.Tuple, ast.keyword, ast.UnaryOp, ast.BoolOp, ast.List, ast.Slice, ast.Dict, ast.For, ast.IfExp,
     ast.JoinedStr, ast.FormattedValue, ast.Raise, ast.Starred, ast.While)
)  # fmt: skip


class Scope(NamedTuple):
    """What a body does with names. `yields`: it is a generator; `cleans_up`: something runs when that is closed
    early."""

    bound: frozenset[str]
    globals: frozenset[str]
    nonlocals: frozenset[str]
    yields: bool
    cleans_up: bool


@functools.lru_cache(maxsize=1024)  # it keeps the trees
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
    for node in _own_nodes(statements):
        kind = node.__class__
        if kind is ast.Name:
            bound.add(node.id)
        elif kind in _DEFINITIONS:
            bound.add(node.name)
        elif kind is ast.alias:
            bound.add(node.asname or node.name.partition(".")[0])
        elif kind in _CAPTURES and node.name:
            bound.add(node.name)
        elif kind is ast.MatchMapping and node.rest:
            bound.add(node.rest)
        elif kind is ast.Global:
            outer |= set(node.names)
        elif kind is ast.Nonlocal:
            nonlocals |= set(node.names)
        elif kind is ast.Yield or kind is ast.YieldFrom:
            yields = True
        elif kind is ast.With or (kind is ast.Try and (node.finalbody or node.handlers)):
            cleans_up = True
    return Scope(
        frozenset(bound - outer - nonlocals), frozenset(outer), frozenset(nonlocals), yields, cleans_up
    )


@functools.lru_cache(maxsize=1024)
def rebound_names(tree: ast.Module) -> frozenset[str]:
    """The names of a file that some function sets though they are not its own."""
    return frozenset(
        name
        for node in every_node(tree)
        if isinstance(node, ast.Global | ast.Nonlocal)
        for name in node.names
    )


def _own_nodes(body: list[ast.AST]) -> Iterator[Any]:
    """What stands in a body and its parts, in any order, without the insides of other scopes and what binds nothing.
    An assignment expression in a comprehension binds outside of it."""
    waiting: list[Any] = list(body)
    while waiting:
        node = waiting.pop()
        kind = node.__class__
        if kind is ast.Name:
            if node.ctx.__class__ is not ast.Load:
                yield node
        elif kind in _PLAIN:
            for part in node.__dict__.values():
                if part.__class__ is list:
                    waiting += part
                elif isinstance(part, ast.AST):
                    waiting.append(part)
        elif kind in _LEAVES:
            continue
        elif kind in _DEFINITIONS:
            yield node
            waiting += (*node.decorator_list, *_defaults(node))
        elif kind is ast.Lambda:
            waiting += _defaults(node)
        elif kind in _COMPREHENSIONS:
            waiting.append(node.generators[0].iter)
            yield from (inner.target for inner in every_node(node) if isinstance(inner, ast.NamedExpr))
        else:
            yield node
            waiting += children(node)


def _defaults(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.ClassDef):
        return [*node.bases, *(keyword.value for keyword in node.keywords)]
    arguments: ast.arguments = node.args  # type: ignore[attr-defined]
    return [*arguments.defaults, *(one for one in arguments.kw_defaults if one is not None)]
