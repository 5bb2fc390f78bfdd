"""Whether there are tensors among the values that data is made of, at any depth: `[[action], [action]]`."""

from __future__ import annotations

import functools

from mindport.usage.types import NUMERIC, PERHAPS, SIZE, Tag, Type, is_guess

_NONE_OF_TORCH = NUMERIC | {Tag.STR, Tag.BYTES, Tag.NONE, Tag.NDARRAY, Tag.EXTERNAL_VALUE, Tag.OTHER}


@functools.cache
def holds_tensors(kind: Type) -> bool | None:
    """Whether a value of this type is, or is made of, tensors; None where nobody knows."""
    if kind.tag is Tag.TENSOR:
        return None if is_guess(kind) or kind.name == PERHAPS.name else True
    if kind is SIZE or kind.tag in _NONE_OF_TORCH:
        return False
    if kind.tag not in (Tag.SEQUENCE, Tag.TUPLE, Tag.UNION):
        return None
    parts = [holds_tensors(part) for part in kind.parts]
    if any(parts):
        return None if kind.tag is Tag.UNION else True
    return None if None in parts else False
