"""Methods of Python's own values: lists, dictionaries, sets, texts, numbers, and what goes through items."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import comparisons, iteration, tables
from mindport.semantics.flow.objects import Function, Iteration, Sequence, Suspended, Table
from mindport.semantics.flow.values import (
    OUTSIDE,
    UNKNOWN,
    Arguments,
    Dotted,
    Given,
    Named,
    Ref,
    View,
    is_plain,
    is_unknown,
)

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

# Methods of plain values that give plain values of a size like theirs.
_LARGE = frozenset(("zfill", "ljust", "rjust", "center", "expandtabs", "to_bytes"))
_MUTATES_LIST = frozenset(
    ("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "appendleft", "popleft",
     "extendleft", "rotate", "__setitem__", "__delitem__", "__iadd__")
)  # fmt: skip

_KEEPS_ITEMS = frozenset(("remove", "sort", "reverse", "rotate", "__delitem__"))


def of_plain(m: Machine, receiver: Any, name: str, passed: Arguments) -> Any:
    """A method of a number, text, tuple or the like."""
    if isinstance(receiver, View):
        return tables.of_names(m, receiver.table, name, passed) if receiver.kind == "names" else UNKNOWN
    if isinstance(receiver, Dotted):
        return m.given_outside(passed.values())
    if not isinstance(receiver, tuple | frozenset) and not is_plain(receiver):
        m.lose((receiver, *passed.values()))
        return UNKNOWN
    if isinstance(receiver, str) and name == "join" and passed.positional:
        parts = m.items_of(passed.positional[0])
        if parts is not None and all(isinstance(one, str) for one in parts):
            return receiver.join(parts)
        return OUTSIDE
    if isinstance(receiver, tuple) and name in ("index", "count") and not is_plain(receiver):
        return of_list(m, m.new(Sequence(list(receiver))), name, passed)
    if name == "fromkeys":
        return UNKNOWN
    if isinstance(receiver, str) and name == "format" and not passed.is_known:
        return OUTSIDE
    method = getattr(receiver, name, None)
    if method is None:
        return m.raise_builtin("AttributeError")
    values = [m.plain(one) for one in passed.positional]
    keywords = {key: m.plain(one) for key, one in passed.keywords.items()}
    if passed.is_open or any(one is m.NOT_PLAIN for one in (*values, *keywords.values())):
        return m.unknown_of(passed.values())
    if name in _LARGE and any(isinstance(one, int) and one > 10_000 for one in values):
        return OUTSIDE
    return m.lifted(m.applied(lambda: method(*values, **keywords)))


def of_list(m: Machine, receiver: Ref, name: str, passed: Arguments) -> Any:
    """A method of a list or deque."""
    found = _LIST.get(name)
    if found is None:
        if not hasattr(list, name) and m.heap.read(receiver).kind == "list":
            return m.raise_builtin("AttributeError")
        m.heap.escape(passed.values())
        m.heap.escape(m.heap.read(receiver).values())
        m.heap.write(receiver).lose()
        return UNKNOWN
    if m.heap.read(receiver).items is None and name not in ("clear", "copy"):
        m.heap.escape(passed.values())
        m.may_raise()
        if "pop" in name:
            return m.heap.read(receiver).each
        if name == "append" and not passed.is_open:
            m.append(receiver, passed.positional[0])
        elif name in _MUTATES_LIST and name not in _KEEPS_ITEMS:
            m.heap.write(receiver).lose()
        return UNKNOWN if name not in _MUTATES_LIST else None
    if passed.is_open or (name in ("insert", "pop", "rotate") and not is_plain(passed.positional[:1])):
        m.heap.escape((*passed.values(), *m.heap.read(receiver).values()))
        m.heap.write(receiver).lose()
        m.may_raise()
        return UNKNOWN
    return found(m, receiver, passed.positional, dict(passed.keywords))


def _append(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    m.heap.write(ref).items.append(given[0])


def _extend(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    m.extend(ref, given[0])


def _insert(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    m.heap.write(ref).items.insert(given[0], given[1])


def _pop(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    items = m.heap.write(ref).items
    if not items or (given and not -len(items) <= given[0] < len(items)):
        return m.raise_builtin("IndexError")
    return items.pop(*given)


def _popleft(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    return _pop(m, ref, (0,), named)


def _appendleft(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    m.heap.write(ref).items.insert(0, given[0])


def _extendleft(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    for item in m.items_of(given[0]) or ():
        m.heap.write(ref).items.insert(0, item)


def _rotate(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    items = m.heap.write(ref).items
    steps = (given[0] if given else 1) % len(items) if items else 0
    items[:] = items[len(items) - steps :] + items[: len(items) - steps]


def _remove(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    index = _place(m, ref, given[0])
    if index is None:
        m.heap.escape(m.heap.read(ref).values())
        m.heap.write(ref).lose()
        m.may_raise()
        return UNKNOWN
    if index < 0:
        return m.raise_builtin("ValueError")
    del m.heap.write(ref).items[index]
    return None


def _index(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    index = _place(m, ref, given[0]) if len(given) == 1 else None
    if index is None:
        return UNKNOWN
    return index if index >= 0 else m.raise_builtin("ValueError")


def _place(m: Machine, ref: Ref, value: Any) -> int | None:
    """Where a value stands first, -1 for nowhere, None where that is not known."""
    for index, one in enumerate(m.heap.read(ref).items):
        same = comparisons.equal(m, one, value)
        if same is None:
            return None
        if same:
            return index
    return -1


def _count(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    answers = [comparisons.equal(m, one, given[0]) for one in m.heap.read(ref).items]
    return UNKNOWN if None in answers else answers.count(True)


def _clear(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    if m.heap.read(ref).items is None:
        m.heap.escape((ref,))  # what had it may have it still
    m.heap.write(ref).items = []


def _copy(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    return m.new(m.heap.read(ref).copy())


def _reverse(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    m.heap.write(ref).items.reverse()


def _sort(m: Machine, ref: Ref, given: Given, named: Named) -> Any:
    ordered = sort(m, list(m.heap.read(ref).items), named)
    m.heap.write(ref).items = ordered


_LIST: dict[str, Callable[[Machine, Ref, Given, Named], Any]] = {
    "append": _append, "extend": _extend, "insert": _insert, "pop": _pop, "popleft": _popleft,
    "appendleft": _appendleft, "extendleft": _extendleft, "rotate": _rotate, "remove": _remove, "index": _index,
    "count": _count, "clear": _clear, "copy": _copy, "reverse": _reverse, "sort": _sort, "__copy__": _copy,
}  # fmt: skip


def sort(m: Machine, items: list[Any], options: Named) -> list[Any] | None:
    """Items in order; None where their order is not known."""
    key, backwards = options.get("key"), m.truth(options.get("reverse", False))
    keys = items if key is None else [m.call(key, Arguments((one,))) for one in items]
    if backwards is None or not all(is_plain(one) for one in keys):
        if len(items) > 1:
            m.heap.escape(items)
            return None
        return items
    numbers = m.applied(lambda: sorted(range(len(items)), key=lambda one: keys[one], reverse=backwards))
    return [items[one] for one in numbers]


def of_iteration(m: Machine, receiver: Ref, name: str, passed: Arguments) -> Any:
    """A method of an iterator or generator."""
    thing = m.heap.read(receiver)
    if name == "__next__" and isinstance(thing, Iteration):
        try:
            return iteration.advance(m, receiver)
        except iteration.NotTold:
            return UNKNOWN
        except iteration.NothingLeft:
            return m.raise_builtin("StopIteration")
    if isinstance(thing, Suspended) and isinstance(thing.code, Ref):
        function: Function = m.heap.read(thing.code)
        if name == "__enter__" and function.node is not None:
            return UNKNOWN
    m.lose((receiver, *passed.values()))
    m.may_raise()
    return UNKNOWN


def length(m: Machine, value: Any) -> Any:
    """`len(value)`."""
    if isinstance(value, tuple | str | bytes | range | frozenset):
        return len(value)
    if isinstance(value, View):
        if value.kind == "names":
            return UNKNOWN
        value = value.table
    thing = m.heap.read(value) if isinstance(value, Ref) else None
    if isinstance(thing, Sequence | Table):
        return UNKNOWN if thing.items is None else len(thing.items)
    if is_unknown(value):
        return OUTSIDE
    items = m.record_items(value) if isinstance(value, Ref) else None
    if items is not None:
        return len(items)
    method = m.class_member(value, "__len__") if isinstance(value, Ref) else None
    if method is not None:
        return m.call(method, Arguments())
    answer = m.domain.items(m, value) if isinstance(value, Ref) else None
    if answer is not None:
        return len(answer)
    return m.raise_builtin("TypeError") if is_plain(value) else UNKNOWN
