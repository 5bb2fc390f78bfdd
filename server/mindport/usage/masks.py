"""Tensors of truth values, and of bytes that stand for them: which operators, methods and functions give them, and
which keep what they are."""

from __future__ import annotations

from collections.abc import Sequence

from mindport.usage.types import (
    BYTES_OF_MASK,
    DTYPE,
    DTYPE_OF_BYTES,
    DTYPE_OF_TRUTH,
    MASK,
    TENSORS,
    Tag,
    Type,
    make,
    weakened,
)

_COMPARISONS = frozenset({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"})
_LOGIC = frozenset({"__invert__", "__and__", "__or__", "__xor__", "__iand__", "__ior__", "__ixor__"})
# Of two masks they are `and` and `or` in torch.
_ARITHMETIC = frozenset({"__mul__", "__imul__", "__add__", "__iadd__"})
_OF_BYTES_ALONE = frozenset({"__sub__", "__isub__"})
_TESTS = frozenset(
    {
        "bool", "eq", "ge", "greater", "greater_equal", "gt", "isclose", "isfinite", "isin", "isinf", "isnan",
        "isneginf", "isposinf", "le", "less", "less_equal", "logical_and", "logical_not", "logical_or",
        "logical_xor", "lt", "ne",
        "not_equal", "signbit",
    }
)  # fmt: skip
_KEEPING = frozenset(
    {
        "T", "all", "any", "clone", "contiguous", "cpu", "cuda", "data", "detach", "expand", "expand_as", "flatten",
        "flip", "index_select", "permute", "repeat", "reshape", "reshape_as", "squeeze", "t", "transpose", "tril",
        "triu",
        "unsqueeze", "view", "view_as",
    }
)  # fmt: skip


_OF_BYTES = frozenset({"byte", "ByteTensor"})
_DTYPES_OF_TRUTH = frozenset({DTYPE_OF_TRUTH, make(Tag.BUILTIN, "bool")})
_CONVERTING = frozenset({"to", "type"})
_EXTREMES = frozenset({"max", "min", "maximum", "minimum"})


def is_comparison(name: str) -> bool:
    """Whether an operator compares."""
    return name in _COMPARISONS


def is_logic(name: str) -> bool:
    """Whether an operator joins masks to a mask, or turns one."""
    return name in _LOGIC


def is_mask(kind: Type) -> bool:
    """Whether a value is a tensor of truth values."""
    return kind.tag is Tag.TENSOR and kind.name == MASK.name


def is_of_bytes(kind: Type) -> bool:
    """Whether a value is a tensor of bytes."""
    return kind.tag is Tag.TENSOR and kind.name == BYTES_OF_MASK.name


def of_operator(name: str, left: Type, right: Type | None, result: Type) -> Type:
    """What an operator gives that gives `result`; `right` is None for a unary one."""
    if result.tag is not Tag.TENSOR:
        return result
    sides = (left,) if right is None else (left, right)
    if (
        any(map(is_of_bytes, sides))
        and name in _LOGIC | _ARITHMETIC | _OF_BYTES_ALONE
        and all(map(_keeps_bytes, sides))
    ):
        return weakened(BYTES_OF_MASK, result.level)
    of_masks = name in _LOGIC and any(map(is_mask, sides)) and all(map(_is_of_truth, sides))
    of_masks = of_masks or (name in _ARITHMETIC and all(map(is_mask, sides)))
    return weakened(MASK, result.level) if of_masks or name in _COMPARISONS else result


def of_call(name: str, first: Type, result: Type, others: Sequence[Type] = ()) -> Type:
    """What a method of `first`, or a function that takes it first, gives that gives `result`; `others` is what else is
    passed."""
    if result.tag is not Tag.TENSOR:
        return result
    if any(one in _DTYPES_OF_TRUTH for one in others):
        return weakened(MASK, result.level)
    if name in _CONVERTING and DTYPE_OF_BYTES not in others:
        kept = TENSORS[result.level] if any(map(_has_a_dtype, others)) else first
        return weakened(kept, result.level) if is_of_bytes(first) or is_mask(first) else result
    is_kept = is_of_bytes(first) and (
        name in _KEEPING or (name in _EXTREMES and all(map(_keeps_bytes, others)))
    )
    if name in _OF_BYTES or DTYPE_OF_BYTES in others or is_kept:
        return weakened(BYTES_OF_MASK, result.level)
    gives = name in _TESTS or (name in _KEEPING and is_mask(first))
    return weakened(MASK, result.level) if gives else result


def _is_of_truth(kind: Type) -> bool:
    return is_mask(kind) or kind.tag is Tag.BOOL


def _has_a_dtype(kind: Type) -> bool:
    """Whether a value is a dtype, or a tensor of one: `mask.to(x)`. Devices are kept in names that tell nothing."""
    return kind.tag is Tag.TENSOR or kind.name == DTYPE.name


def _keeps_bytes(kind: Type) -> bool:
    """Whether bytes stay bytes beside a value."""
    return is_of_bytes(kind) or is_mask(kind) or kind.tag in (Tag.BOOL, Tag.INT)
