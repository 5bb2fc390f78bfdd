"""Names as code writes them: `a`, `a.b.c`."""

from __future__ import annotations

import ast


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
