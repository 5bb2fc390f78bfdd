"""Masks in indices: one with something besides, `x[mask, :]`, may be of several axes; one of bytes, `x[mask.byte()]`,
is none in MindSpore."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from mindport.usage.masks import is_mask, is_of_bytes
from mindport.usage.types import Tag, Type

# Stand for the keys of such indices in conditions of mappings.
MASKS = "~"
BYTES = "uint8"


def takes_masks(index: ast.expr, kinds: Sequence[Type]) -> bool:
    """Whether an index whose parts have these types names several axes, some of them by a mask."""
    return isinstance(index, ast.Tuple) and len(index.elts) > 1 and any(map(is_mask, kinds))


def masks_of_bytes(index: ast.expr, kind: Type) -> Iterator[ast.expr]:
    """The parts of an index of this type that are masks of bytes."""
    nodes, kinds = (index,), (kind,)
    if isinstance(index, ast.Tuple) and kind.tag is Tag.TUPLE:
        nodes, kinds = tuple(index.elts), kind.parts
    return (node for node, one in zip(nodes, kinds, strict=False) if is_of_bytes(one))
