"""Classes of values: what derives from what, and what a class offers."""

# mypy: disable-error-code="misc"
# The methods are those of Machine, which is made of this class and others: mypy cannot be told so.
from __future__ import annotations

import builtins
import collections.abc
import numbers
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import attributes, comparisons, records
from mindport.semantics.flow.classes import OBJECT
from mindport.semantics.flow.objects import Class, Function, Instance, Sequence, Table
from mindport.semantics.flow.values import (
    UNKNOWN,
    Arguments,
    Bound,
    Dotted,
    Member,
    Ref,
    Wrapped,
    is_plain,
    is_unknown,
)

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

_KINDS = {
    "OrderedDict": "collections.OrderedDict",
    "Counter": "collections.Counter",
    "deque": "collections.deque",
}
_ABSTRACT = {"collections.abc": collections.abc, "numbers": numbers, "typing": collections.abc}
_PYTHONS = {
    "collections.OrderedDict": collections.OrderedDict,
    "collections.Counter": collections.Counter,
    "collections.deque": collections.deque,
    "collections.defaultdict": collections.defaultdict,
}


class Types:
    """Answers about classes, with three answers."""

    def class_of(self: Machine, value: Any) -> Any:
        """`type(value)`."""
        if isinstance(value, tuple | frozenset | slice) or is_plain(value):
            return Dotted(f"builtins.{type(value).__name__}")
        thing = self.heap.read(value) if isinstance(value, Ref) else None
        if isinstance(value, Bound):
            return Dotted("types.MethodType")
        if isinstance(thing, Function):
            return Dotted("types.FunctionType")
        if isinstance(thing, Sequence | Table):
            if isinstance(thing, Table) and thing.default is not None:
                return Dotted("collections.defaultdict")
            return Dotted(_KINDS.get(thing.kind, f"builtins.{thing.kind}"))
        if isinstance(thing, Instance):
            return thing.class_of
        if isinstance(thing, Class):
            return thing.metaclass or Dotted("builtins.type")
        return UNKNOWN

    def is_instance(self: Machine, value: Any, kind: Any) -> bool | None:
        """`isinstance(value, kind)`."""
        if isinstance(kind, tuple):
            answers = [self.is_instance(value, one) for one in kind]
            return True if True in answers else None if None in answers else False
        if is_unknown(value):
            return True if kind == OBJECT else None
        return self.derives(self.class_of(value), kind)

    def derives(self: Machine, one: Any, base: Any) -> bool | None:
        """`issubclass(one, base)`."""
        if is_unknown(one) or is_unknown(base):
            return None
        if one == base or base == OBJECT:
            return True
        if isinstance(one, Ref):
            thing = self.heap.read(one)
            order = thing.order if isinstance(thing, Class) else None
            if order is None:
                return None
            if base in order:
                return True
            if isinstance(base, Ref):
                return False
            answers = [self._outside_derives(each, base) for each in order if isinstance(each, Dotted)]
            if (
                not answers
                and isinstance(base, Dotted)
                and base.name.partition(".")[0] in ("typing", "collections")
            ):
                return None
            return True if True in answers else None if None in answers else False
        if isinstance(one, Dotted) and isinstance(base, Ref):
            # A class outside may be registered with an abstract one of the project.
            return False
        return self._outside_derives(one, base) if isinstance(one, Dotted) else None

    def _outside_derives(self: Machine, one: Dotted, base: Any) -> bool | None:
        first, second = (_python_class(each) for each in (one, base))
        if first is not None and second is not None:
            return issubclass(first, second)
        if (first is None) == (second is None) and isinstance(base, Dotted):
            return self.domain.is_subclass(one.name, base.name)
        # One of Python's own does not derive from a library's; the other way round it may.
        return False if second is None and first is not None else self.domain.is_subclass(one.name, str(base))

    def is_same_class(self: Machine, one: Any, other: Any) -> bool:
        """Whether two values surely have the same class."""
        return bool(self.class_of(one) == self.class_of(other))

    def is_exception(self: Machine, value: Any) -> bool:
        """Whether a value is an exception."""
        return self.derives(self.class_of(value), Dotted("builtins.BaseException")) is True

    def is_function(self: Machine, value: Any) -> bool:
        """Whether a value is a function that the project defines."""
        return isinstance(value, Ref) and isinstance(self.heap.read(value), Function)

    def is_object(self: Machine, value: Any) -> bool:
        """Whether a value is an object or a class, which code outside leaves as it is."""
        return isinstance(value, Ref) and isinstance(self.heap.read(value), Instance | Class)

    def is_lost(self: Machine, value: Any) -> bool:
        """Whether an object may have attributes that nobody saw."""
        thing = self.heap.read(value) if isinstance(value, Ref) else None
        return isinstance(thing, Instance) and thing.is_lost

    def order_of(self: Machine, thing: Instance) -> tuple[Any, ...] | None:
        """The classes of an object, in the order in which they are asked."""
        if isinstance(thing.class_of, Ref):
            found = self.heap.read(thing.class_of)
            return found.order if isinstance(found, Class) else None
        return (thing.class_of,) if isinstance(thing.class_of, Dotted) else None

    def outside_classes(self: Machine, value: Ref) -> list[Dotted]:
        """The classes outside that an object derives from."""
        return [one for one in self.order_of(self.heap.read(value)) or () if isinstance(one, Dotted)]

    def class_member(self: Machine, value: Any, name: str) -> Any:
        """A method that the classes of an object define, bound to it; None for none. The object itself is not asked."""
        thing = self.heap.read(value) if isinstance(value, Ref) else None
        if not isinstance(thing, Instance):
            return None
        found = attributes.in_classes(self, self.order_of(thing), name)
        if found is None or is_unknown(found):
            return found
        if isinstance(found, Wrapped) and found.kind in ("property", "cached_property"):
            return self.call(found.function, Arguments((value,)))
        return attributes.bound(self, found, value)

    def member_of_class(self: Machine, value: Ref, name: str) -> Any:
        """An attribute that a class or its bases define; None for none."""
        thing = self.heap.read(value)
        return attributes.in_classes(self, thing.order, name) if isinstance(thing, Class) else None

    def enumerated_names(self: Machine, value: Any) -> dict[str, Any] | None:
        """The members of an enumeration by name; None for anything else."""
        thing = self.heap.read(value) if isinstance(value, Ref) else None
        members = thing.attributes.get("__members__") if isinstance(thing, Class) else None
        return dict(members) if isinstance(members, tuple) else None

    def enumerated(self: Machine, value: Ref) -> tuple[Any, ...] | None:
        """The members of an enumeration in their order, each once."""
        members = self.enumerated_names(value)
        return None if members is None else tuple(dict.fromkeys(members.values()))

    def record_items(self: Machine, value: Any) -> list[Any] | None:
        """The items of an object of a NamedTuple; None for anything else."""
        return records.items_of_record(self, value) if isinstance(value, Ref) else None

    def field_names(self: Machine, value: Any) -> tuple[str, ...] | None:
        """The fields of a dataclass; None for anything else."""
        return records.fields_of(self, value)

    def is_record(self: Machine, value: Any) -> bool:
        """Whether a value is an object of a dataclass or NamedTuple."""
        thing = self.heap.read(value) if isinstance(value, Ref) else None
        if not isinstance(thing, Instance):
            return False
        return records.fields_of(self, value) is not None or self.record_items(value) is not None

    def records_equal(self: Machine, one: Any, other: Any) -> bool | None:
        """Whether two objects, one of them of a record, compare equal."""
        have_items = self.record_items(one) is not None or self.record_items(other) is not None
        are_records = self.is_record(one) and self.is_record(other)
        if are_records and not have_items and not self.is_same_class(one, other):
            return False
        return records.are_equal(self, one, other)

    def equal(self: Machine, one: Any, other: Any) -> bool | None:
        """Whether two values compare equal."""
        return comparisons.equal(self, one, other)

    def has_attribute(self: Machine, value: Any, name: str) -> bool | None:
        """`hasattr(value, name)`."""
        if isinstance(value, Dotted) and self.domain.knows(f"{value.name}.{name}"):
            return True
        if is_unknown(value) or isinstance(value, Dotted):
            is_missing = isinstance(value, Dotted) and self.domain.is_missing(f"{value.name}.{name}")
            return False if is_missing else None
        found = self.caught(lambda: self.attribute(value, name), "AttributeError")
        if found is self.ENDED:
            return False
        if not isinstance(found, Member):
            return None if is_unknown(found) else True
        if is_plain(value) or isinstance(value, tuple):
            return hasattr(value, name)
        thing = self.heap.read(value) if isinstance(value, Ref) else None
        kinds = {"list": list, "dict": dict, "set": set}
        if isinstance(thing, Sequence | Table) and thing.kind in kinds:
            return hasattr(kinds[thing.kind], name)
        return None


def _python_class(one: Any) -> type | None:
    """The class that a name of Python's own library means, where we know it."""
    if not isinstance(one, Dotted):
        return None
    if one.name in _PYTHONS:
        return _PYTHONS[one.name]
    module, _, name = one.name.rpartition(".")
    found = getattr(builtins if module == "builtins" else _ABSTRACT.get(module), name, None)
    return found if isinstance(found, type) else None
