"""Goes through trees: what `ast.walk` and `ast.iter_child_nodes` give, in the same order, in a quarter of the time. The
marks that say how a name is used are left out."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Sequence
from contextvars import ContextVar

_MARKS = frozenset(("ctx", "id", "attr", "arg", "kind", "type_comment", "level", "module", "lineno", "tag"))
_MARKS |= frozenset(("asname", "conversion", "is_async", "simple", "rest", "kwd_attrs", "str"))
# Fields that hold texts and other values in these kinds of node, though others have nodes there.
_NAMED = ("alias", "FunctionDef", "AsyncFunctionDef", "ClassDef", "ExceptHandler", "MatchAs", "MatchStar")
_NAMED_TYPES = ("TypeVar", "ParamSpec", "TypeVarTuple")  # since Python 3.12
_PLAIN: dict[type[ast.AST], frozenset[str]] = {
    ast.Constant: frozenset(("value",)),
    ast.MatchSingleton: frozenset(("value",)),
    ast.Global: frozenset(("names",)),
    ast.Nonlocal: frozenset(("names",)),
    **{getattr(ast, kind): frozenset(("name",)) for kind in (*_NAMED, *_NAMED_TYPES) if hasattr(ast, kind)},
}
_WITH_GAPS = frozenset(("keys", "kw_defaults"))  # lists that have None where something is left out
_parts: dict[type[ast.AST], tuple[str, ...]] = {}  # the fields of each kind of node that may hold others
_Kept = dict[
    int, tuple[ast.Module, list[ast.AST]]
]  # a tree by its identity, with its nodes once somebody has asked
_kept: ContextVar[tuple[int, _Kept] | None] = ContextVar("kept", default=None)


@contextlib.contextmanager
def kept_nodes(most: int) -> Iterator[None]:
    """Where many ask for the nodes of the same files: in here those of the last trees, at `most` so many, that `keep`
    was told of are given out again."""
    before = _kept.set((most, {}))
    try:
        yield
    finally:
        _kept.reset(before)


def keep(tree: ast.Module) -> None:
    """Nobody changes this tree, so that its nodes may be given out again."""
    most, kept = _kept.get() or (0, {})
    if most and id(tree) not in kept:
        if len(kept) == most:
            del kept[next(iter(kept))]
        kept[id(tree)] = (tree, [])


def every_node(tree: ast.AST) -> Sequence[ast.AST]:
    """A node and all that is below it, level by level."""
    if tree.__class__ is ast.Module and (shared := _kept.get()) and (kept := shared[1].get(id(tree))):
        if not kept[1]:
            kept[1][:] = _found(tree)
        return kept[1]
    return _found(tree)


def children(node: ast.AST) -> list[ast.AST]:
    """What is directly below a node."""
    found: list[ast.AST] = []
    kind = node.__class__
    for name in _parts[kind] if kind in _parts else _parts_of(kind):
        value = getattr(node, name, None)
        if value.__class__ is not list:
            if value is not None:
                found.append(value)
        elif name in _WITH_GAPS:
            found += [one for one in value if one is not None]
        else:
            found += value
    return found


def _found(tree: ast.AST) -> list[ast.AST]:
    found, parts = [tree], _parts
    for node in found:  # which grows; `children` is written out here, because calls are half of what it takes
        kind = node.__class__
        for name in parts[kind] if kind in parts else _parts_of(kind):
            value = getattr(node, name, None)
            if value.__class__ is not list:
                if value is not None:
                    found.append(value)
            elif name in _WITH_GAPS:
                found += [one for one in value if one is not None]
            else:
                found += value
    return found


def _parts_of(kind: type[ast.AST]) -> tuple[str, ...]:
    plain = _MARKS | _PLAIN.get(kind, frozenset())
    _parts[kind] = tuple(name for name in kind._fields if name not in plain)
    return _parts[kind]
