"""What is known of a value while shapes are followed."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any

import msgspec

from mindport.model.language import later
from mindport.semantics.flow.heap import Heap
from mindport.semantics.flow.objects import Sequence
from mindport.semantics.flow.values import OUTSIDE, SOME, UNKNOWN, Ref, Unknown, either, references


class ValueKind(enum.Enum):
    """The kind of a value. OTHER is everything that nothing is known of."""

    TENSOR = enum.auto()
    MASK = enum.auto()  # a tensor of truth values
    NUMBER = enum.auto()
    SHAPE = enum.auto()  # the shape of a tensor
    GROUP = enum.auto()  # a sequence of any length
    OTHER = enum.auto()


class _Outside(Unknown, frozen=True, eq=True, kw_only=True):
    """Nothing of the project's, unless it is said."""

    is_outside: bool = True


class Known(_Outside, frozen=True, eq=True):
    """What is known of one value. `cause` is empty where nothing was seen that makes it vary from call to call: of a
    tensor or shape its length, of a number its value. `axes` are the axes that vary, None where that is not known.
    `form` is equal for tensors that have the same shape for certain; empty where it cannot be told. So is `origin`,
    which follows values from where they were made through what is done to them element by element; that two differ
    says nothing. `each` is what a group holds, `items` are those of several results."""

    what: ValueKind = ValueKind.OTHER
    cause: str = ""
    axes: frozenset[int] | None = None
    form: str = ""
    origin: int = 0  # 0 where it cannot be told
    each: Any = None
    items: tuple[Known, ...] = ()

    @property
    def is_tensor(self) -> bool:
        """Whether it is certainly a tensor."""
        return self.what is ValueKind.TENSOR or self.what is ValueKind.MASK

    @property
    def is_data(self) -> bool:
        """Whether its value comes from a tensor: a tensor itself, or a number with a cause."""
        return self.is_tensor or (self.what is not ValueKind.SHAPE and bool(self.cause))

    @property
    def number_cause(self) -> str:
        """Why a number varies, or what is one at times."""
        return self.cause if self.what is ValueKind.NUMBER or self.what is ValueKind.OTHER else ""

    def of_several(self) -> Known:
        """The same value, but nobody knows where it comes from."""
        return msgspec.structs.replace(self, origin=0) if self.origin else self


FIRST = frozenset((0,))
OF_A_TENSOR = later("the value of a tensor")
RANDOM = later("a number drawn at random")  # the cause of numbers that no tensor holds
OTHER = Known()
NUMBER = Known(ValueKind.NUMBER)
TENSOR = Known(ValueKind.TENSOR)
MASK = Known(ValueKind.MASK)


def varying(cause: str, axes: frozenset[int] | None = FIRST) -> Known:
    """A tensor whose length along the axes depends on data."""
    return Known(ValueKind.TENSOR, cause, axes)


def number_from(cause: str) -> Known:
    """A number whose value depends on data."""
    return Known(ValueKind.NUMBER, cause)


def group_of(item: Any) -> Known:
    """A sequence of any length of such items."""
    return Known(ValueKind.GROUP, each=item)


def results(*items: Known) -> Known:
    """Several results of an operator, which have names."""
    return Known(ValueKind.GROUP, each=_any_of(items), items=items)


def known(value: Any) -> Known:
    """What is known of any value."""
    if isinstance(value, Known):
        return value
    return NUMBER if isinstance(value, int | float) else OTHER


def parts(heap: Heap, value: Any) -> list[Known] | None:
    """The items of a sequence, as far as they are told; None for anything else."""
    if isinstance(value, tuple):
        return [known(one) for one in value]
    if isinstance(value, Known) and value.what is ValueKind.GROUP:
        return list(value.items) or [known(value.each)]
    thing = heap.read(value) if isinstance(value, Ref) else None
    if isinstance(thing, Sequence) and thing.items is not None:
        return [known(one) for one in thing.items]
    return None


def element(value: Known) -> Any:
    """One of the items of a value, as a loop gets it."""
    if value.what is ValueKind.GROUP:
        return value.each
    if value.is_tensor:
        # What varies along the first axis alone varies no more in a row.
        rest = value.cause if value.axes is not None and value.axes != FIRST else ""
        return Known(value.what, rest)
    if value.what is ValueKind.NUMBER:
        return value
    return Known(ValueKind.NUMBER, value.cause) if value.what is ValueKind.SHAPE else nothing_of(value)


def nothing_of(value: Unknown) -> Unknown:
    """A value made of this one, of which nothing is known."""
    return OUTSIDE if value.is_outside else SOME if value.is_object else UNKNOWN


def joined(one: Any, two: Any) -> Any:
    """One of two values: it varies if either does."""
    if isinstance(one, Known) and isinstance(two, Known) and ValueKind.GROUP not in (one.what, two.what):
        return _flagged(_joined(one, two), one.is_outside and two.is_outside, one.is_object or two.is_object)
    rest = either(one, two)
    items = [_items(value) for value in (one, two)]
    if items[0] is not None and items[1] is not None:
        found = [*items[0], *items[1]]
        known_items = found and not references((one, two))
        return _flagged(group_of(_any_of(found)), rest.is_outside, rest.is_object) if known_items else rest
    return _flagged(_joined(known(one), known(two)), rest.is_outside, rest.is_object)


def _flagged(value: Known, is_outside: bool, is_object: bool) -> Unknown:
    if value.what is ValueKind.OTHER and not value.cause and not value.origin:
        return SOME if is_object else OUTSIDE if is_outside else UNKNOWN
    if value.is_outside == is_outside and value.is_object == is_object:
        return value
    return msgspec.structs.replace(value, is_outside=is_outside, is_object=is_object)


def _items(value: Any) -> tuple[Any, ...] | None:
    if isinstance(value, tuple):
        return value
    return (value.each,) if isinstance(value, Known) and value.what is ValueKind.GROUP else None


def _any_of(values: Iterable[Any]) -> Any:
    first, *rest = values
    for one in rest:
        first = joined(first, one)
    return first.of_several() if isinstance(first, Unknown) else first


def _joined(first: Known, second: Known) -> Known:
    what = first.what if first.what is second.what else ValueKind.OTHER
    if what is ValueKind.OTHER and first.is_tensor and second.is_tensor:
        what = ValueKind.TENSOR
    elif what is ValueKind.OTHER and (first.is_tensor or second.is_tensor):
        # What is a tensor after one branch is one after the other.
        sure, other = (first, second) if first.is_tensor else (second, first)
        return OTHER if other.what is not ValueKind.OTHER else Known(sure.what, sure.cause, sure.axes)
    elif what is ValueKind.OTHER and ValueKind.NUMBER in (first.what, second.what):
        # One that comes from data does so wherever it is used, after the other branch as well.
        return Known(cause=first.cause or second.cause)
    axes = first.axes if first.axes == second.axes or not second.cause else second.axes
    if first.cause and second.cause and first.axes != second.axes:
        axes = None
    return Known(
        what,
        first.cause or second.cause,
        axes,
        form=first.form if first.form == second.form else "",
        origin=first.origin if first.origin == second.origin else 0,
    )


def listed(heap: Heap, value: Any) -> Any:
    """A list as a group of its items, one of which may be any of the project's objects."""
    thing = heap.read(value) if isinstance(value, Ref) and heap.has(value) else None
    if not isinstance(thing, Sequence):
        return value
    items = [thing.each] if thing.items is None else thing.items
    each = _any_of(items) if items and not references(tuple(items)) else UNKNOWN
    return Known(ValueKind.GROUP, each=each, is_outside=False, is_object=True)


def kept(heap: Heap, value: Any) -> Any:
    """A value as it is now: a list as a tuple of its items."""
    thing = heap.read(value) if isinstance(value, Ref) else None
    if isinstance(thing, Sequence):
        value = group_of(thing.each) if thing.items is None else tuple(thing.items)
    elif isinstance(value, Known) and value.items:
        value = value.items
    return tuple(kept(heap, one) for one in value) if isinstance(value, tuple) else value


def differ_in_shape(one: Any, two: Any) -> bool:
    """Whether two results of the branches of one `if` certainly have different shapes at times."""
    if isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two):
        return any(map(differ_in_shape, one, two))
    first, second = known(one), known(two)
    if not (first.is_tensor or second.is_tensor) or not all(
        value.is_tensor or value.form for value in (first, second)
    ):
        return False
    if bool(first.cause) != bool(second.cause):
        return True
    return not first.cause and bool(first.form) and bool(second.form) and first.form != second.form
