"""Positions that `torch.where` and `nonzero` find, of which there may be none: MindSpore refuses to write to no
position, and has no gradient for what `x[positions]` reads then; torch has."""

from __future__ import annotations

import ast

from mindport.usage.types import POSITIONS, POSITIONS_OF_AXES, Tag, Type, members, weakened

_KEEPING = frozenset(
    {
        "clone", "contiguous", "cpu", "cuda", "detach", "flatten", "int", "long", "ravel", "reshape", "squeeze", "t",
        "to", "unique", "view",
    }
)  # fmt: skip


def positions_found(level: int, may_be_tuple: bool) -> Type:
    """What `nonzero`, and `where` of a condition alone, give: positions, or a tuple of them for the axes, each part of
    which is some again."""
    return weakened(POSITIONS_OF_AXES if may_be_tuple else POSITIONS, level)


def part_of(kind: Type) -> Type:
    """What an index or a loop takes out of positions."""
    return weakened(POSITIONS, kind.level)


def kept_by(name: str, first: Type, result: Type) -> Type:
    """What a method of positions gives that gives `result`: the same ones in another shape or of another dtype."""
    if is_positions(first) and name in _KEEPING and result.tag is Tag.TENSOR:
        return weakened(POSITIONS, result.level)
    return result


def is_positions(kind: Type) -> bool:
    """Whether a value is a tensor of positions, or a tuple of such tensors."""
    return kind.tag is Tag.TENSOR and kind.name in (POSITIONS.name, POSITIONS_OF_AXES.name)


def writes_to_found(index: ast.expr, kind: Type) -> bool:
    """Whether an index of this type takes the elements at positions that were found."""
    kinds = kind.parts if isinstance(index, ast.Tuple) and kind.tag is Tag.TUPLE else (kind,)
    return any(is_positions(one) for part in kinds for one in members(part))


def reads_found(index: ast.expr, kind: Type) -> bool:
    """Whether an index of this type is one tensor of positions that were found, and nothing besides."""
    return not isinstance(index, ast.Tuple) and kind.tag is Tag.TENSOR and kind.name == POSITIONS.name
