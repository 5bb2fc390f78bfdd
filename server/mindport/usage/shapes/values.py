"""What is known of a value while shapes are followed through a function."""

from __future__ import annotations

import enum
from collections.abc import Iterable

import msgspec

from mindport.model.language import later


class What(enum.Enum):
    """The kind of a value. OTHER is everything that nothing is known of."""

    TENSOR = enum.auto()
    MASK = enum.auto()  # a tensor of truth values
    NUMBER = enum.auto()
    SHAPE = enum.auto()  # the shape of a tensor
    SEQUENCE = enum.auto()
    OTHER = enum.auto()


class Known(msgspec.Struct, frozen=True):
    """One value. `cause` is empty where nothing was seen that makes it vary from call to call: of a tensor or shape
    its length, of a number its value. `axes` are the axes that vary, None where that is not known. `form` is equal
    for tensors that have the same shape for certain; empty where it cannot be told. So is `origin`, which follows
    values from where they were made through what is done to them element by element; that two differ says nothing."""

    what: What = What.OTHER
    cause: str = ""
    axes: frozenset[int] | None = None
    items: tuple[Known, ...] = ()  # of a tuple or list that is written out
    form: str = ""
    origin: int = 0  # 0 where it cannot be told
    is_shared: bool = False  # an item that stands for all items of its sequence

    @property
    def is_tensor(self) -> bool:
        """Whether it is certainly a tensor."""
        return self.what is What.TENSOR or self.what is What.MASK

    @property
    def is_data(self) -> bool:
        """Whether its value comes from a tensor: a tensor itself, or a number with a cause."""
        return self.is_tensor or (self.what is What.NUMBER and bool(self.cause))


FIRST = frozenset((0,))
OF_A_TENSOR = later("the value of a tensor")
RANDOM = later("a number drawn at random")  # the cause of numbers that no tensor holds
OTHER = Known()
NUMBER = Known(What.NUMBER)
TENSOR = Known(What.TENSOR)
MASK = Known(What.MASK)


def varying(cause: str, axes: frozenset[int] | None = FIRST) -> Known:
    """A tensor whose length along the axes depends on data."""
    return Known(What.TENSOR, cause, axes)


def number_from(cause: str) -> Known:
    """A number whose value depends on data."""
    return Known(What.NUMBER, cause)


def sequence(items: Iterable[Known]) -> Known:
    """A tuple or list of these."""
    return Known(What.SEQUENCE, items=tuple(items))


def sequence_of(item: Known) -> Known:
    """A sequence of any length of such items."""
    return Known(What.SEQUENCE, items=(msgspec.structs.replace(item, is_shared=True, origin=0),))


def without_origin(value: Known) -> Known:
    """The same value, but nobody knows where it comes from."""
    return msgspec.structs.replace(value, origin=0) if value.origin else value


def element(value: Known) -> Known:
    """One of the items of a value, as a loop gets it."""
    if value.what is What.SEQUENCE and value.items:
        first = value.items[0]
        for item in value.items[1:]:
            first = joined(first, item)
        return msgspec.structs.replace(first, is_shared=False)
    if value.is_tensor:
        # What varies along the first axis alone varies no more in a row.
        rest = value.cause if value.axes is not None and value.axes != FIRST else ""
        return Known(value.what, rest)
    if value.what is What.NUMBER:
        return value
    return Known(What.NUMBER, value.cause) if value.what is What.SHAPE else OTHER


def joined(first: Known, second: Known) -> Known:
    """One of two values: it varies if either does."""
    if first == second:
        return first
    if first.what is What.SEQUENCE and second.what is What.SEQUENCE:
        if len(first.items) == len(second.items):
            return sequence(joined(one, two) for one, two in zip(first.items, second.items, strict=True))
        if not first.items or not second.items:
            return second if not first.items else first
        return sequence_of(joined(element(first), element(second)))
    what = first.what if first.what is second.what else What.OTHER
    if first.is_tensor and second.is_tensor and what is What.OTHER:
        what = What.TENSOR
    if what is What.OTHER and (first.is_tensor or second.is_tensor):
        # What is a tensor after one branch is one after the other.
        known, other = (first, second) if first.is_tensor else (second, first)
        return OTHER if other.what is not What.OTHER else Known(known.what, known.cause, known.axes)
    if what is What.OTHER:
        return OTHER
    axes = first.axes if first.axes == second.axes or not second.cause else second.axes
    return Known(
        what,
        first.cause or second.cause,
        axes,
        form=first.form if first.form == second.form else "",
        origin=first.origin if first.origin == second.origin else 0,
        is_shared=first.is_shared and second.is_shared,
    )


def differ_in_shape(first: Known, second: Known) -> bool:
    """Whether two results of the branches of one `if` certainly have different shapes at times."""
    if first.what is What.SEQUENCE and second.what is What.SEQUENCE and len(first.items) == len(second.items):
        return any(differ_in_shape(one, two) for one, two in zip(first.items, second.items, strict=True))
    if not (first.is_tensor or second.is_tensor) or not all(
        one.is_tensor or one.form for one in (first, second)
    ):
        return False
    if bool(first.cause) != bool(second.cause):
        return True
    return not first.cause and bool(first.form) and bool(second.form) and first.form != second.form
