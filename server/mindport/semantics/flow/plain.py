"""Between values of the machine and plain Python data: what Python's own functions may compute with, and back."""

# mypy: disable-error-code="misc"
# The methods are those of Machine, which is made of this class and others: mypy cannot be told so.
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import items, iteration
from mindport.semantics.flow.objects import Instance, Sequence, Table
from mindport.semantics.flow.records import is_record
from mindport.semantics.flow.values import (
    OUTSIDE,
    UNKNOWN,
    Dotted,
    Ref,
    Unknown,
    View,
    is_plain,
    is_unknown,
    may_be_object,
)

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

_MOST_DEPTH = 20


class PlainValues:
    """Converts values, and builds and reads containers."""

    NOT_PLAIN: Any = object()

    def plain(self: Machine, value: Any, depth: int = 0) -> Any:
        """A value as Python data, `NOT_PLAIN` where a part of it is none."""
        if is_plain(value):
            return value
        thing = self.heap.read(value) if isinstance(value, Ref) else None
        if depth > _MOST_DEPTH:
            return self.NOT_PLAIN
        if isinstance(value, tuple):
            parts = [self.plain(one, depth + 1) for one in value]
            return self.NOT_PLAIN if self.NOT_PLAIN in parts else tuple(parts)
        if isinstance(thing, Sequence) and thing.kind == "list" and thing.items is not None:
            parts = [self.plain(one, depth + 1) for one in thing.items]
            return self.NOT_PLAIN if any(one is self.NOT_PLAIN for one in parts) else parts
        if isinstance(thing, Table) and thing.items is not None and thing.default is None:
            if thing.kind == "set" and iteration.has_order(thing):
                return set(thing.items) if all(is_plain(one) for one in thing.items) else self.NOT_PLAIN
            if thing.kind == "dict" and all(is_plain(one) for one in thing.items):
                found = {key: self.plain(one, depth + 1) for key, one in thing.items.items()}
                return self.NOT_PLAIN if any(one is self.NOT_PLAIN for one in found.values()) else found
        return self.NOT_PLAIN

    def lifted(self: Machine, value: Any) -> Any:
        """Python data as a value."""
        if isinstance(value, tuple):
            return tuple(self.lifted(one) for one in value)
        if isinstance(value, list):
            return self.new(Sequence([self.lifted(one) for one in value]))
        if isinstance(value, dict):
            return self.table({key: self.lifted(one) for key, one in value.items()})
        if isinstance(value, set):
            return self.new(Table(dict.fromkeys(value), "set"))
        if is_plain(value) or isinstance(value, Unknown):
            return value
        return OUTSIDE

    def applied(self: Machine, function: Callable[..., Any], *given: Any) -> Any:
        """What one of Python's functions gives; what it raises is raised."""
        try:
            return function(*given)
        except Exception as error:  # noqa: BLE001  the user's values decide what goes wrong here
            return self.raise_builtin(type(error).__name__, tuple(one for one in error.args if is_plain(one)))

    def table(self: Machine, items: dict[Any, Any]) -> Ref:
        """A dictionary."""
        return self.new(Table(items))

    def key(self: Machine, value: Any) -> Any:
        """A value as the key of a dictionary; `NOT_PLAIN` where it is not known whether another one equals it."""
        if is_unknown(value):
            return self.NOT_PLAIN
        if isinstance(value, slice):
            return self.raise_builtin("TypeError")
        if isinstance(value, tuple):
            parts = tuple(self.key(one) for one in value)
            return self.NOT_PLAIN if any(one is self.NOT_PLAIN for one in parts) else parts
        if not isinstance(value, Ref):
            return value
        thing = self.heap.read(value)
        if isinstance(thing, Sequence | Table):
            return self.raise_builtin("TypeError")
        if isinstance(thing, Instance):
            own = any(self.class_member(value, name) is not None for name in ("__eq__", "__hash__"))
            records = isinstance(thing.class_of, Ref) and is_record(self, thing.class_of)
            if own or records or thing.payload is not None:
                return self.NOT_PLAIN if not isinstance(thing.class_of, Dotted) else value
        return value

    def keys_of(self: Machine, value: Any) -> list[Any] | None:
        """The items of a value as keys, in some order; None where one is not known."""
        found = self.unordered_items(value)
        if found is None:
            return None
        keys = [self.key(one) for one in found]
        return None if any(one is self.NOT_PLAIN for one in keys) else keys

    def unordered_items(self: Machine, value: Any) -> list[Any] | None:
        """All items of a value in some order, which for a set nobody knows."""
        thing = self.heap.read(value) if isinstance(value, Ref) else None
        if isinstance(thing, Table) and thing.kind == "set":
            return None if thing.items is None else list(thing.items)
        if isinstance(value, frozenset):
            return list(value)
        return self.items_of(value)

    def table_of(self: Machine, value: Any) -> dict[Any, Any] | None:
        """The items of a dictionary; None for anything else, and where they are not known."""
        thing = self.heap.read(value) if isinstance(value, Ref) else None
        if isinstance(thing, Table) and thing.kind != "set" and thing.items is not None:
            return dict(thing.items)
        return None

    def set_of(self: Machine, values: list[Any] | None) -> Ref:
        """A set of values."""
        keys = None if values is None else [self.key(one) for one in values]
        if keys is None or any(one is self.NOT_PLAIN for one in keys):
            self.heap.escape(values or ())
            return self.new(Table(None, "set"))
        return self.new(Table(dict.fromkeys(keys), "set"))

    def update(self: Machine, table: Ref, value: Any) -> None:
        """`table.update(value)`: from a dictionary, or from pairs."""
        found = self.table_of(value)
        if found is not None:
            for key, one in found.items():
                items.set_item(self, table, key, one)
            return
        pairs = self.items_of(value) if self._has_pairs(value) else None
        for pair in pairs or ():
            parts = self.items_of(pair)
            if parts is None or len(parts) != 2:
                pairs = None
                break
            items.set_item(self, table, parts[0], parts[1])
        if pairs is None:
            self.heap.escape((*self.heap.read(table).values(), value))
            self.heap.write(table).lose()

    def _has_pairs(self: Machine, value: Any) -> bool:
        thing = self.heap.read(value) if isinstance(value, Ref) else None
        return not isinstance(thing, Instance | Table) and not is_unknown(value)

    def append(self: Machine, group: Ref, value: Any) -> None:
        """`group.append(value)`."""
        thing = self.heap.write(group)
        if thing.items is None:
            self.heap.escape((value,))
        thing.add(value, lambda one, two: self.heap.one_of((one, two)))

    def extend(self: Machine, group: Ref, value: Any) -> None:
        """`group.extend(value)`."""
        more = self.items_of(value)
        found = self.heap.write(group).items
        if more is None or found is None:
            self.heap.escape((*(found or ()), *(more or ()), value))
            each = self.heap.one_of((iteration.any_item(self, group), iteration.any_item(self, value)))
            self.heap.write(group).become(each)
        else:
            found.extend(more)

    def unknown_of(self: Machine, values: Any) -> Any:
        """What is not known of what was made of values; nothing of the project's where none of it went in."""
        return UNKNOWN if any(isinstance(one, Ref) or may_be_object(one) for one in values) else OUTSIDE

    def items_are_told(self: Machine, value: Any) -> bool:
        """Whether a value is gone through item by item."""
        if isinstance(value, View):
            return value.kind != "names"
        if isinstance(value, tuple | str | bytes | range):
            return True
        thing = self.heap.read(value) if isinstance(value, Ref) else None
        return isinstance(thing, Sequence | Table) and thing.items is not None
