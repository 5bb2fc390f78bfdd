"""What expressions are worth. Plain Python values (numbers, texts, bytes, None, ranges, slices, tuples and frozen
sets of values) stand for themselves; everything that has an identity or can change lies in the heap, behind a
`Ref`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

Given = tuple[Any, ...]  # what a call passes by position
Named = dict[str, Any]  # and by name


class Unknown(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """No value. `is_outside` is what code outside the project gave: it knows nothing of the project's objects, so that
    calling it changes none of them. `is_object` is one of several things, some of which are objects of the project.
    A domain derives from it what it knows of values that are not known as a whole."""

    is_outside: bool = False
    is_object: bool = False

    def of_several(self) -> Unknown:
        """The same as one of several values, nobody knows which."""
        return self

    def __repr__(self) -> str:
        return "OUTSIDE" if self.is_outside else "SOME" if self.is_object else "UNKNOWN"

    def __copy__(self) -> Unknown:
        return self

    def __deepcopy__(self, memo: object) -> Unknown:
        return self


UNKNOWN = Unknown()
OUTSIDE = Unknown(is_outside=True)
SOME = Unknown(is_object=True)

PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...), range, type(NotImplemented))


class Ref(msgspec.Struct, frozen=True):
    """An object of the heap."""

    address: int


class Dotted(msgspec.Struct, frozen=True):
    """A name outside the project: `torch.nn.Linear`, `math.sqrt`, `builtins.len`."""

    name: str


class Member(msgspec.Struct, frozen=True):
    """A method of a value that needs no code of the project: `items.append`."""

    receiver: Any
    name: str


class Bound(msgspec.Struct, frozen=True):
    """A function of the project as a method of a receiver."""

    function: Any
    receiver: Any


class Super(msgspec.Struct, frozen=True):
    """`super()`: what comes behind a class in the order of the receiver's classes."""

    owner: Any
    receiver: Any


class Partial(msgspec.Struct, frozen=True):
    """A callable with some arguments put in; the keywords as pairs."""

    callee: Any
    positional: tuple[Any, ...]
    keywords: tuple[tuple[str, Any], ...]


class Wrapped(msgspec.Struct, frozen=True):
    """A function inside `property`, `cached_property`, `classmethod`, `staticmethod` or `cached` (`lru_cache`);
    `setter` of a property, or the answers that are kept."""

    kind: str
    function: Any
    setter: Any = None


class View(msgspec.Struct, frozen=True):
    """`keys()`, `values()` or `items()` of a dictionary, which show what it holds at any time; or the "names" of a
    namespace, which `globals()` gives."""

    table: Any
    kind: str


class Arguments(msgspec.Struct, frozen=True):
    """What a call passes. `is_open` where a star spreads what is not known; `around` is then what is passed by position
    besides, each star as one of its items."""

    positional: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = {}
    is_open: bool = False
    around: tuple[Any, ...] = ()

    def values(self) -> tuple[Any, ...]:
        """Everything that is passed."""
        return (*self.positional, *self.around, *self.keywords.values())

    @property
    def is_known(self) -> bool:
        """Whether nothing in it is unknown."""
        return not self.is_open and not any(holds_unknown(one) for one in self.values())

    def before(self, *first: Any) -> Arguments:
        """The same with other arguments in front."""
        around = (*first, *self.around) if self.around else ()
        return Arguments((*first, *self.positional), self.keywords, self.is_open, around)


def unwrapped(value: Any) -> Any:
    """The function inside `staticmethod` and the like; anything else as it is."""
    return value.function if isinstance(value, Wrapped) else value


def is_unknown(value: Any) -> bool:
    """Whether a value is not known at all."""
    return isinstance(value, Unknown)


def may_be_object(value: Any) -> bool:
    """Whether a value is not known and may be an object of the project."""
    return isinstance(value, Unknown) and not value.is_outside


def holds_unknown(value: Any) -> bool:
    """Whether a value, or a part of a tuple, is not known."""
    if isinstance(value, tuple | frozenset):
        return any(holds_unknown(one) for one in value)
    if isinstance(value, slice):
        return any(holds_unknown(one) for one in (value.start, value.stop, value.step))
    return isinstance(value, Unknown)


def is_plain(value: Any) -> bool:
    """Whether a value is Python's own through and through, so that Python's own functions may compute with it."""
    if isinstance(value, tuple | frozenset):
        return all(is_plain(one) for one in value)
    if isinstance(value, slice):
        return all(is_plain(one) for one in (value.start, value.stop, value.step))
    return isinstance(value, PLAIN)


def is_same(one: Any, other: Any) -> bool:
    """Whether two values are one and the same; 1, 1.0 and True are three."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, slice):
        return all(map(is_same, (one.start, one.stop, one.step), (other.start, other.stop, other.step)))
    if isinstance(one, float):
        return repr(one) == repr(other)
    return bool(one == other)


_HOLDERS = frozenset((tuple, frozenset, slice, Member, Bound, Super, View, Partial, Wrapped))


def references(value: Any) -> tuple[Ref, ...]:
    """The objects that a value holds by itself."""
    if isinstance(value, Ref):
        return (value,)
    if value.__class__ not in _HOLDERS:
        return ()
    if isinstance(value, tuple | frozenset):
        return tuple(ref for one in value for ref in references(one))
    if isinstance(value, slice):
        return references((value.start, value.stop, value.step))
    if isinstance(value, Member):
        return references(value.receiver)
    if isinstance(value, Bound):
        return (*references(value.function), *references(value.receiver))
    if isinstance(value, Super):
        return references(value.receiver)
    if isinstance(value, View):
        return references(value.table)
    if isinstance(value, Partial):
        return references((value.callee, value.positional, tuple(one for _, one in value.keywords)))
    if isinstance(value, Wrapped):
        return references((value.function, value.setter))
    return ()


def of_several(value: Any) -> Any:
    """A value as one of several, nobody knows which."""
    if isinstance(value, tuple):
        return tuple(map(of_several, value))
    return value.of_several() if isinstance(value, Unknown) else value


def either(one: Any, two: Any) -> Unknown:
    """What is known of a value that is one of two."""
    are_objects = any(isinstance(value, Unknown) and value.is_object for value in (one, two))
    if are_objects or references(one) or references(two):
        return SOME
    are_outside = all(not isinstance(value, Unknown) or value.is_outside for value in (one, two))
    return OUTSIDE if are_outside else UNKNOWN
