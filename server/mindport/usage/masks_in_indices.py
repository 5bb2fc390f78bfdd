"""Masks in indices: one with something besides, `x[mask, :]`, may be of several axes; one of bytes, `x[mask.byte()]`,
is none in MindSpore."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from mindport.usage.masks import is_mask, is_of_bytes
from mindport.usage.types import Tag, Type
from mindport.usage.values_as_indices import parts_of_index

# Stand for the keys of such indices in conditions of mappings.
MASKS = "~"
BYTES = "uint8"
PERHAPS_BYTES = "uint8?"


def takes_masks(index: ast.expr, kinds: Sequence[Type]) -> bool:
    """Whether an index whose parts have these types names several axes, some of them by a mask."""
    return (
        isinstance(index, ast.Tuple)
        and len(index.elts) > 1
        and any(is_mask(one) or is_of_bytes(one) for one in kinds)
    )


def masks_of_bytes(index: ast.expr, kind: Type, is_selecting: Callable[[str], bool]) -> Iterator[ast.expr]:
    """The parts of an index of this type that are masks of bytes; without those that are made of calls of `byte` alone,
    which do nothing but select. `is_selecting` tells of a name whether it holds what one of these gives."""
    nodes: Sequence[ast.expr] = (index,)
    kinds: Sequence[Type] = (kind,)
    if isinstance(index, ast.Tuple) and kind.tag is Tag.TUPLE:
        nodes, kinds = index.elts, kind.parts
    for node, one in zip(nodes, kinds, strict=False):
        made_of = [*parts_of_index(node)]
        selects = (
            is_selecting(part.id) if isinstance(part, ast.Name) else gives_bytes(part) for part in made_of
        )
        if is_of_bytes(one) and not (made_of and all(selects)):
            yield node


def gives_bytes(call: ast.Call) -> bool:
    """Whether this is a call of a method that makes bytes of a tensor."""
    return isinstance(call.func, ast.Attribute) and call.func.attr == "byte"


def named_as_masks(index: ast.expr, kind: Type) -> Iterator[ast.expr]:
    """The parts of an index of this type that are called masks, and of which nothing tells whether they are of bytes or
    of truth values."""
    nodes: Sequence[ast.expr] = (index,)
    kinds: Sequence[Type] = (kind,)
    if isinstance(index, ast.Tuple) and kind.tag is Tag.TUPLE:
        nodes, kinds = index.elts, kind.parts
    for node, one in zip(nodes, kinds, strict=False):
        name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
        if "mask" in name.lower() and _is_open(one):
            yield node


def _is_open(kind: Type) -> bool:
    """Whether a value is a tensor of any dtype, or anything."""
    return kind.tag is Tag.UNKNOWN or (kind.tag is Tag.TENSOR and not is_mask(kind) and not is_of_bytes(kind))
