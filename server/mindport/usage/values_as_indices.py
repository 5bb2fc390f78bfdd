"""Values that do nothing but select elements."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

from mindport.source.trees import every_node

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


def selecting_names(body: Iterable[ast.stmt]) -> frozenset[str]:
    """The names that a function reads only to select elements."""
    reads: Counter[str] = Counter()
    selecting: Counter[str] = Counter()
    for statement in body:
        for node in every_node(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                reads[node.id] += 1
            elif isinstance(node, ast.Subscript):
                selecting.update(one.id for one in parts_of_index(node.slice) if isinstance(one, ast.Name))
    return frozenset(name for name, count in selecting.items() if count == reads[name])
