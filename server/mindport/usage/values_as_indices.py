"""Values that do nothing but select elements."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

_OF_MASKS = (ast.BitAnd, ast.BitOr, ast.BitXor)


def parts_of_index(index: ast.expr) -> Iterator[ast.Call | ast.Name]:
    """The calls and names in `x[index]` whose values select elements, themselves or joined as masks."""
    match index:
        case ast.Call() | ast.Name():
            yield index
        case ast.Tuple(elts=parts):
            for part in parts:
                yield from parts_of_index(part)
        case ast.UnaryOp(op=ast.Invert(), operand=mask):
            yield from parts_of_index(mask)
        case ast.BinOp(left=left, op=operator, right=right) if isinstance(operator, _OF_MASKS):
            yield from parts_of_index(left)
            yield from parts_of_index(right)


def only_selects(name: str, body: Sequence[ast.stmt]) -> bool:
    """Whether a name is read in a function, and only to select elements."""
    reads = selecting = 0
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                reads += 1
            elif isinstance(node, ast.Subscript):
                parts = parts_of_index(node.slice)
                selecting += sum(isinstance(part, ast.Name) and part.id == name for part in parts)
    return 0 < reads == selecting
