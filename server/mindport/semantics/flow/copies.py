"""Copies of objects, shallow and deep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mindport.semantics.flow.objects import Class, Function, Instance, Namespace, Sequence, Suspended, Table
from mindport.semantics.flow.values import UNKNOWN, Arguments, Bound, Ref, is_plain

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine


def copied(m: Machine, value: Any) -> Any:
    """`copy.copy(value)`."""
    if not isinstance(value, Ref):
        return value
    thing = m.heap.read(value)
    if isinstance(thing, Class | Function):
        return value
    if isinstance(thing, Instance) and m.class_member(value, "__copy__") is not None:
        return m.call(m.class_member(value, "__copy__"), Arguments())
    return m.new(thing.copy()) if isinstance(thing, Sequence | Table | Instance) else UNKNOWN


def deeply_copied(m: Machine, value: Any) -> Any:
    """`copy.deepcopy(value)`: what is shared inside stays shared in the copy."""
    return _deep(m, value, {})


def _deep(m: Machine, value: Any, seen: dict[Ref, Any]) -> Any:
    if is_plain(value):
        return value
    if isinstance(value, tuple):
        return tuple(_deep(m, one, seen) for one in value)
    if isinstance(value, Bound):
        return Bound(value.function, _deep(m, value.receiver, seen))
    if not isinstance(value, Ref):
        return value
    if value in seen:
        return seen[value]
    thing = m.heap.read(value)
    if isinstance(thing, Class | Function | Namespace):
        return value
    if isinstance(thing, Suspended) or not isinstance(thing, Sequence | Table | Instance):
        return UNKNOWN
    if isinstance(thing, Instance):
        own = m.class_member(value, "__deepcopy__")
        if own is not None:
            return m.call(own, Arguments((m.table({}),)))
        if m.enumerated_names(thing.class_of) is not None:
            return value
    made = seen[value] = m.new(thing.copy())
    if isinstance(thing, Sequence) and thing.items is not None:
        m.heap.write(made).items = [_deep(m, one, seen) for one in thing.items]
    elif isinstance(thing, Table) and thing.items is not None:
        m.heap.write(made).items = {key: _deep(m, one, seen) for key, one in thing.items.items()}
    elif isinstance(thing, Instance):
        m.heap.write(made).attributes = {name: _deep(m, one, seen) for name, one in thing.attributes.items()}
    return made
