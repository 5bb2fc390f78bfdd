"""Lists as indices that may come to nothing, `boxes[keep]` for `keep = []`, to which what is found is added, or
`[kind == "linear" for kind in kinds]` where none is: torch reads no element by them, MindSpore refuses them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from mindport.usage.types import ARRAYS, Tag, Type

# Stand for the key of an index that is such a list, and of one that has it among others, in conditions of mappings.
LIST = "[]"
LIST_AMONG_OTHERS = ",[]"
_COPIES = frozenset({"list", "sorted"})


def may_come_to_nothing(value: ast.expr) -> bool:
    """Whether a list may choose nothing, as far as its form tells: it begins empty, takes some of others, or has truth
    values of comparisons."""
    match value:
        case ast.List(elts=elements):
            return not elements
        case ast.ListComp(elt=ast.Compare() | ast.UnaryOp(op=ast.Not())):
            return True
        case ast.ListComp(generators=parts):
            return any(part.ifs for part in parts)
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]):
            return name == "list"
        case ast.Call(func=ast.Name(id=name), args=[taken, *_]):
            return name in _COPIES and may_come_to_nothing(taken)
    return False


def lists_of_nothing(
    index: ast.expr, kind: Type, is_filled: Callable[[str], bool]
) -> Iterator[tuple[ast.expr, str]]:
    """The lists in an index that may be empty, each with the key that stands for it. `is_filled` tells of a name
    whether it is bound to such a list."""
    if not isinstance(index, ast.Tuple):
        if _is_list(kind) and _may_be_nothing(index, is_filled):
            yield index, LIST
    elif kind.tag is Tag.TUPLE and len(kind.parts) == len(index.elts):
        for part, of_part in zip(index.elts, kind.parts, strict=True):
            if _is_list(of_part) and _may_be_nothing(part, is_filled):
                yield part, LIST_AMONG_OTHERS


def _is_list(kind: Type) -> bool:
    return kind.tag is Tag.SEQUENCE and kind is not ARRAYS


def _may_be_nothing(part: ast.expr, is_filled: Callable[[str], bool]) -> bool:
    return is_filled(part.id) if isinstance(part, ast.Name) else may_come_to_nothing(part)
