"""Indices that are numbers throughout, some of them elements of tensors: `transitions[tags[i + 1], tags[i]]`,
`scores[i, label]`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mindport.usage.types import ARRAY, Tag, Type, members

# Stands for the key of such an index in conditions of mappings.
NUMBERS = ","
_OF_NUMBERS = frozenset((Tag.INT, Tag.NUMBER, Tag.UNKNOWN))
_OF_ELEMENTS = frozenset((Tag.TENSOR, Tag.NDARRAY))


def takes_numbers(index: ast.expr, kinds: Sequence[Type]) -> bool:
    """Whether an index whose parts have these types names several axes, each by what may be one number, and an element
    of a tensor or of an array of NumPy's is among them: a variable behind a number, `probs[0, action]`, is likely to be
    one, and may be more."""
    if not isinstance(index, ast.Tuple) or len(index.elts) < 2 or len(kinds) != len(index.elts):
        return False
    tags = [{one.tag for one in members(kind)} for kind in kinds]
    parts = list(zip(index.elts, tags, strict=True))
    has_elements = any(
        found & _OF_ELEMENTS
        and (
            is_element(part)
            or (isinstance(part, ast.Name) and {Tag.INT} in tags[:at] and kinds[at] is not ARRAY)
        )
        for at, (part, found) in enumerate(parts)
    )
    return has_elements and all(found & (_OF_ELEMENTS | _OF_NUMBERS) for _, found in parts)


def has_tensors(kinds: Sequence[Type]) -> bool:
    """Whether one of the parts of an index may be a tensor."""
    return any(one.tag is Tag.TENSOR for kind in kinds for one in members(kind))


def gives_rows(iterated: ast.expr) -> bool:
    """Whether a loop goes through tuples of elements, `for pair in zip(rows, columns)`, which may be indices."""
    return (
        isinstance(iterated, ast.Call)
        and isinstance(iterated.func, ast.Name)
        and iterated.func.id == "zip"
        and len(iterated.args) > 1
    )


def is_element(node: ast.expr) -> bool:
    """Whether an expression takes one element, `tags[i]`, or computes with one."""
    match node:
        case ast.Subscript(slice=ast.Slice() | ast.Tuple() | ast.List() | ast.Compare()):
            return False
        case ast.Subscript():
            return True
        case ast.BinOp():
            return is_element(node.left) or is_element(node.right)
    return False
