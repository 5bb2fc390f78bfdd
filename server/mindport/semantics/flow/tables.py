"""Methods of dictionaries, sets, and of what `globals()` gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import items as item_access
from mindport.semantics.flow.objects import Sequence, Table
from mindport.semantics.flow.values import UNKNOWN, Arguments, Given, Named, Ref, View, is_plain

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine


def of_names(m: Machine, ref: Ref, name: str, passed: Arguments) -> Any:
    """A method of what `globals()` gives."""
    given = passed.positional
    names = m.heap.write(ref)
    key = given[0] if given else None
    if name == "get" and isinstance(key, str) and not names.is_open:
        return names.names.get(key, given[1] if len(given) > 1 else None)
    if name == "pop" and isinstance(key, str) and key in names.names:
        return names.names.pop(key)
    if name == "update" and not given and not passed.is_open:
        names.names.update(passed.keywords)
        return None
    m.heap.escape((*names.values(), *passed.values()))
    if name not in ("get", "keys", "values", "items", "copy"):
        names.names = dict.fromkeys(names.names, UNKNOWN)
        names.is_open = True
    return UNKNOWN


def of_table(m: Machine, receiver: Ref, name: str, passed: Arguments) -> Any:
    """A method of a dictionary or set."""
    thing: Table = m.heap.read(receiver)
    found = (_SET if thing.kind == "set" else _TABLE).get(name)
    known = (thing.items is not None or name == "clear") and not passed.is_open and found is not None
    if known and name in _BY_KEY and any(m.key(one) is m.NOT_PLAIN for one in passed.positional[:1]):
        known = False
    if not known or found is None:
        m.heap.escape((*thing.values(), *passed.values()))
        m.may_raise()
        if name not in _READS:
            m.heap.write(receiver).lose()
        return UNKNOWN
    return found(m, receiver, passed.positional, dict(passed.keywords))


_BY_KEY = frozenset(("get", "pop", "setdefault", "add", "discard", "remove", "move_to_end"))
_READS = frozenset(
    ("get", "items", "keys", "values", "copy", "union", "intersection", "difference", "issubset", "issuperset",
     "isdisjoint", "symmetric_difference", "most_common", "elements")
)  # fmt: skip


def _get(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    usual = given[1] if len(given) > 1 else named.get("default")
    return m.heap.read(ref).items.get(m.key(given[0]), usual)


def _take(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    items, key = m.heap.write(ref).items, m.key(given[0])
    if key in items:
        return items.pop(key)
    return given[1] if len(given) > 1 else m.raise_builtin("KeyError", (given[0],))


def _set_default(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    usual = given[1] if len(given) > 1 else None
    return m.heap.write(ref).items.setdefault(m.key(given[0]), usual)


def _update(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    for one in given:
        m.update(ref, one)
    for key, value in named.items():
        item_access.set_item(m, ref, key, value)


def _pop_item(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    items = m.heap.write(ref).items
    if not items:
        return m.raise_builtin("KeyError")
    is_last = m.truth(given[0] if given else named.get("last", True))
    if is_last is None:
        m.heap.write(ref).lose()
        return UNKNOWN
    key = list(items)[-1 if is_last else 0]
    return key, items.pop(key)


def _move(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    items, key = m.heap.write(ref).items, m.key(given[0])
    if key not in items:
        return m.raise_builtin("KeyError")
    value = items.pop(key)
    is_last = m.truth(given[1] if len(given) > 1 else named.get("last", True))
    if is_last is None:
        m.heap.write(ref).lose()
    elif is_last:
        items[key] = value
    else:
        m.heap.write(ref).items = {key: value, **items}
    return None


def _view(kind: str) -> Callable[[Machine, Ref, Given, Named], Any]:
    return lambda m, ref, given, named: View(ref, kind)


def _clear(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    if m.heap.read(ref).items is None:
        m.heap.escape((ref,))  # what had it may have it still
    m.heap.write(ref).items = {}


def _table_copy(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    return m.new(m.heap.read(ref).copy())


def _most_common(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    items = m.heap.read(ref).items
    if not all(is_plain(one) for one in items.values()):
        return UNKNOWN
    ordered = sorted(items.items(), key=lambda one: one[1], reverse=True)
    return m.new(Sequence(ordered[: given[0]] if given and isinstance(given[0], int) else ordered))


_TABLE: dict[str, Callable[[Machine, Ref, Given, Named], Any]] = {
    "get": _get, "pop": _take, "setdefault": _set_default, "update": _update, "popitem": _pop_item,
    "move_to_end": _move, "keys": _view("keys"), "values": _view("values"), "items": _view("items"),
    "copy": _table_copy, "clear": _clear,
    "most_common": _most_common,
}  # fmt: skip


def _add(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    m.heap.write(ref).items.setdefault(m.key(given[0]))


def _discard(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    m.heap.write(ref).items.pop(m.key(given[0]), None)


def _remove_key(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    items, key = m.heap.write(ref).items, m.key(given[0])
    if key not in items:
        return m.raise_builtin("KeyError", (given[0],))
    del items[key]
    return None


def _add_all(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    for group in given:
        keys = m.keys_of(group)
        if keys is None:
            m.heap.write(ref).lose()
            return None
        m.heap.write(ref).items.update(dict.fromkeys(keys))
    return None


def _combined(choose: Callable[[dict[Any, Any], list[Any]], list[Any]], changes: bool = False) -> Any:
    def method(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
        items = dict(m.heap.read(ref).items)
        for group in given:
            keys = m.keys_of(group)
            if keys is None:
                if changes:
                    m.heap.write(ref).lose()
                return m.new(Table(None, "set"))
            items = dict.fromkeys(choose(items, keys))
        if changes:
            m.heap.write(ref).items = items
            return None
        return m.new(Table(items, "set"))

    return method


def _tested(test: Callable[[set[Any], set[Any]], bool]) -> Any:
    def method(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
        keys = m.keys_of(given[0])
        return UNKNOWN if keys is None else test(set(m.heap.read(ref).items), set(keys))

    return method


def _union(mine: dict[Any, Any], keys: list[Any]) -> list[Any]:
    return [*mine, *keys]


def _common(mine: dict[Any, Any], keys: list[Any]) -> list[Any]:
    return [key for key in mine if key in set(keys)]


def _without(mine: dict[Any, Any], keys: list[Any]) -> list[Any]:
    return [key for key in mine if key not in set(keys)]


def _apart(mine: dict[Any, Any], keys: list[Any]) -> list[Any]:
    return [*_without(mine, keys), *(key for key in keys if key not in mine)]


_SET: dict[str, Callable[[Machine, Ref, Given, Named], Any]] = {
    "add": _add, "discard": _discard, "remove": _remove_key, "update": _add_all, "copy": _table_copy,
    "clear": _clear,
    "union": _combined(_union), "intersection": _combined(_common), "difference": _combined(_without),
    "symmetric_difference": _combined(_apart), "intersection_update": _combined(_common, changes=True),
    "difference_update": _combined(_without, changes=True), "issubset": _tested(set.issubset),
    "issuperset": _tested(set.issuperset), "isdisjoint": _tested(set.isdisjoint),
}  # fmt: skip
