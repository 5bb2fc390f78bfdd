"""Names as code writes them, `a`, `a.b.c`, and what statements bind them to."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def last_name(node: ast.AST | None) -> str:
    """The last part of a dotted name; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def dotted_name(node: ast.AST | None) -> tuple[str, ...] | None:
    """`a.b.c` as its parts; None for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return tuple(reversed(parts))


def dotted_text(node: ast.AST | None) -> str:
    """`a.b.c` as text; empty for anything else."""
    return ".".join(dotted_name(node) or ())


def assigned_pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What `target = value` binds or writes to, each with the value that it has, or has a part of."""
    match target, value:
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            yield from zip(targets, values, strict=True)
        case ast.Tuple(elts=targets), _:
            yield from ((one, value) for one in targets)
        case _:
            yield target, value


def bound_pairs(statement: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What an assignment or a loop binds, each with the value it is made of; part by part where both are tuples."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            pairs = [(target, value) for target in targets]
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.For(target=target, iter=value):
            pairs = [(target, value)]
        case _:
            return
    for target, value in pairs:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            yield from zip(target.elts, value.elts, strict=False)
        else:
            yield target, value
