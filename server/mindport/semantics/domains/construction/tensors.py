"""Tensors and parameters by how many numbers they hold and, where that is known, by their shape."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from mindport.semantics.domains.construction.counts import PARAMETER, TENSOR, size_of
from mindport.semantics.flow.objects import Instance
from mindport.semantics.flow.values import OUTSIDE, Arguments, Dotted, Ref

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

_BY_SIZES = frozenset(
    f"torch.{name}" for name in ("zeros", "ones", "empty", "randn", "rand", "full", "Tensor", "FloatTensor")
)
_LIKE_ANOTHER = frozenset(
    f"torch.{name}_like" for name in ("zeros", "ones", "empty", "randn", "rand", "full")
)  # fmt: skip
_FROM_DATA = frozenset(("torch.tensor", "torch.as_tensor"))
# Methods whose result has the same shape.
_SAME_SHAPE = frozenset(
    ("div_", "mul_", "add_", "sub_", "fill_", "normal_", "uniform_", "zero_", "clone", "float", "half", "to", "div",
     "mul", "detach", "requires_grad_", "copy_", "clamp_", "cuda", "cpu", "contiguous", "double", "trunc_normal_")
)  # fmt: skip
_DATA = frozenset(
    ("grad", "requires_grad", "is_leaf", "dtype", "device", "mT", "H", "real", "imag", "ndim", "is_cuda")
)
Shape = tuple[int, ...]


def new(m: Machine, kind: Dotted, size: int | None, shape: Shape | None = None) -> Ref:
    """A tensor or parameter of so many numbers."""
    return m.new(Instance(kind, payload=(size, shape)))


def known(m: Machine, value: Any) -> tuple[int | None, Shape | None] | None:
    """Number and shape of a tensor or parameter; None for anything else."""
    found: tuple[int | None, Shape | None] | None = size_of(m, value, TENSOR) or size_of(m, value, PARAMETER)
    return found


def made(m: Machine, name: str, passed: Arguments) -> Any:
    """What a function of torch's makes; NotImplemented where it makes no tensor whose size its arguments tell."""
    first = passed.positional[0] if passed.positional else passed.keywords.get("data")
    like = known(m, first)
    if name == PARAMETER.name:
        return new(m, PARAMETER, *(like or (None, None)))
    if name in _BY_SIZES:
        shape = None if passed.is_open else _shape(m, passed, name.endswith("full"))
        return new(m, TENSOR, None if shape is None else math.prod(shape), shape)
    if name in _LIKE_ANOTHER and like is not None:
        return new(m, TENSOR, *like)
    if name in _FROM_DATA:
        shape = _shape_of_data(m.plain(first))
        return new(m, TENSOR, None if shape is None else math.prod(shape), shape)
    return NotImplemented


def _shape(m: Machine, passed: Arguments, is_full: bool) -> Shape | None:
    """The sizes that a tensor is made with."""
    sizes = [passed.keywords["size"]] if "size" in passed.keywords else list(passed.positional)
    if is_full:
        sizes = sizes[:1]
    if len(sizes) == 1 and not isinstance(sizes[0], int):
        found = m.items_of(sizes[0]) if m.items_are_told(sizes[0]) else None
        if found is None:
            return None
        sizes = found
    if any(isinstance(size, bool) or not isinstance(size, int) for size in sizes):
        return None
    return tuple(sizes)


def _shape_of_data(data: Any) -> Shape | None:
    """The shape of numbers in lists."""
    if isinstance(data, bool | int | float | complex):
        return ()
    if not isinstance(data, list | tuple):
        return None
    inner = {_shape_of_data(one) for one in data}
    first = next(iter(inner), ())
    return (len(data), *first) if len(inner) < 2 and first is not None else None


def member(m: Machine, owner: Ref, name: str) -> Any:
    """An attribute of a tensor or parameter; None for one that is not known."""
    found = known(m, owner)
    if found is None:
        return None
    size, shape = found
    if name == "data":
        return new(m, TENSOR, size, shape)
    if name == "T":
        return new(m, TENSOR, size, None if shape is None else shape[::-1])
    if name == "shape":
        return OUTSIDE if shape is None else shape
    if name == "ndim" and shape is not None:
        return len(shape)
    return OUTSIDE if name in _DATA else None


def call_member(m: Machine, owner: Ref, name: str, passed: Arguments) -> Any:
    """What a method of a tensor gives."""
    size, shape = known(m, owner) or (None, None)
    if name in _SAME_SHAPE:
        # What is changed in place stays what it is; a copy of a parameter is none.
        return owner if name.endswith("_") else new(m, TENSOR, size, shape)
    if name in ("numel", "nelement") and size is not None:
        return size
    if name in ("dim", "ndimension") and shape is not None:
        return len(shape)
    if name == "size" and shape is not None:
        axis = passed.positional[0] if passed.positional else None
        if axis is None:
            return shape
        return shape[axis] if isinstance(axis, int) and -len(shape) <= axis < len(shape) else OUTSIDE
    return OUTSIDE
