"""How anything is gone through item by item."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow.budget import LONGEST
from mindport.semantics.flow.frame import Path, Unreachable
from mindport.semantics.flow.objects import Class, Instance, Iteration, Sequence, Suspended, Table
from mindport.semantics.flow.paths import either, end, meet, repeat
from mindport.semantics.flow.values import UNKNOWN, Arguments, Ref, View, is_plain, is_unknown

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

Body = Callable[[Any], None]


class NothingLeft(Exception):
    """An iterator has no further item."""


class NotTold(Exception):
    """Nobody knows whether an iterator has a further item, or which."""


def all_items(m: Machine, value: Any) -> list[Any] | None:
    """All items of a value in their order; None where they are not known. They are collected in the heap, where each
    path has its own."""
    if isinstance(value, tuple | str | bytes | range):
        return list(value) if len(value) <= LONGEST else None
    thing = m.heap.read(value) if isinstance(value, Ref) else None
    if isinstance(thing, Sequence):
        return None if thing.items is None else list(thing.items)
    record = m.record_items(value)
    if record is not None:
        return record
    made = m.new(Sequence([]))
    iterate(m, value, lambda item: m.append(made, item))
    found: list[Any] | None = m.heap.read(made).items
    return found


def first_items(m: Machine, value: Any, most: int) -> list[Any] | None:
    """The first items of a value, no more than `most`: what unpacking takes of a generator."""
    thing = m.heap.read(value) if isinstance(value, Ref) else None
    if not isinstance(thing, Suspended):
        return all_items(m, value)
    made = m.new(Sequence([]))
    found: list[Path] = []

    def each(item: Any) -> None:
        m.append(made, item)
        items = m.heap.read(made).items
        if items is not None and len(items) >= most:
            found.append((m.heap, None))
            raise Unreachable

    found += end(m, lambda: iterate(m, value, each))
    meet(m, found)
    items: list[Any] | None = m.heap.read(made).items
    return items


def search(m: Machine, value: Any, stops: bool) -> Any:
    """Go through a value until an item's truth `stops`: `stops` where one does, else the opposite."""
    found: list[Path] = []

    def each(item: Any) -> None:
        test = m.truth(item)
        if test is stops:
            found.append((m.heap, stops))
            raise Unreachable
        if test is None:
            found.append((m.heap.fork(), stops))

    found += end(m, lambda: iterate(m, value, each), not stops)
    return meet(m, found)


def iterate(m: Machine, value: Any, body: Body) -> None:
    """Call `body` for each item of a value, as a loop over it does. Raises Unreachable where no path comes to the
    end."""
    m.budget.step()
    if isinstance(value, tuple | str | bytes | range):
        if len(value) > m.domain.longest:
            any_number(m, value, body)
            return
        for item in value:
            body(item)
        return
    if isinstance(value, View):
        if value.kind == "names":
            m.heap.escape(m.heap.read(value.table).values())
            any_number(m, UNKNOWN, body)
        else:
            _over_view(m, value, body)
        return
    thing = m.heap.read(value) if isinstance(value, Ref) else None
    if isinstance(thing, Sequence):
        _over_list(m, value, body)
    elif isinstance(thing, Table):
        _over_table(m, value, body)
    elif isinstance(thing, Suspended):
        m.run_suspended(value, body)
    elif isinstance(thing, Iteration):
        _over_iteration(m, value, body)
    elif isinstance(thing, Instance):
        _over_instance(m, value, body)
    elif isinstance(thing, Class):
        members = m.enumerated(value)
        iterate(m, members, body) if members is not None else any_number(m, value, body)
    elif is_plain(value) and not isinstance(value, frozenset):
        m.raise_builtin("TypeError")
    else:
        any_number(m, value, body)


def any_number(m: Machine, value: Any, body: Body) -> None:
    """Nobody knows how many items, or which."""
    m.lose_iterated(value)
    m.may_raise()
    repeat(m, m.frame, lambda: body(any_item(m, value)))


def any_item(m: Machine, value: Any) -> Any:
    """One of the items of a value, nobody knows which."""
    if isinstance(value, range):
        return m.heap.one_of((value[0], value[-1])) if value else UNKNOWN
    if isinstance(value, tuple):
        return m.heap.one_of(value)
    if is_unknown(value):
        return m.domain.item(m, value)
    thing = m.heap.read(value) if isinstance(value, Ref) else value
    if isinstance(thing, Sequence):
        return thing.each if thing.items is None else m.heap.one_of(thing.items)
    if isinstance(thing, Iteration):
        if thing.kind == "zip":
            return tuple(any_item(m, one) for one in thing.source)
        if thing.kind == "chain":
            return m.heap.one_of(any_item(m, one) for one in thing.source)
        if thing.kind == "enumerate":
            return m.heap.one_of((0, 1)), any_item(m, thing.source[0])
        if thing.kind == "map":
            items = (any_item(m, one) for one in (thing.source[0], *thing.source[2:]))
            return m.call(thing.source[1], Arguments(tuple(items)))
        if thing.kind in ("iter", "filter"):
            return any_item(m, thing.source[0])
    return m.domain.item(m, value)


def is_idle(m: Machine, value: Any) -> bool:
    """Whether nothing else happens when somebody goes through a value."""
    thing = m.heap.read(value) if isinstance(value, Ref) else value
    if isinstance(thing, Iteration):
        return thing.kind in ("iter", "zip", "enumerate", "chain") and all(
            is_idle(m, one) for one in thing.source
        )
    return isinstance(thing, Sequence | Table | View | tuple | str | bytes | range | int) or (
        is_unknown(thing) and thing.is_outside
    )


def _over_list(m: Machine, value: Ref, body: Body) -> None:
    """A list may change while one goes through it."""
    index = 0
    while True:
        m.budget.step()
        items = m.heap.read(value).items
        if items is None or len(items) > m.domain.longest:
            any_number(m, value, body)
            return
        if index >= len(items):
            return
        body(items[index])
        index += 1


def _over_table(m: Machine, value: Ref, body: Body, show: Callable[[Any], Any] = lambda key: key) -> None:
    thing = m.heap.read(value)
    if thing.items is None or (thing.kind == "set" and not has_order(thing)):
        any_number(m, value, body)
        return
    if len(thing.items) > m.domain.longest:

        def any_of_them() -> Any:
            items = m.heap.read(value).items
            return UNKNOWN if items is None else m.heap.one_of(map(show, items))

        repeat(m, m.frame, lambda: body(any_of_them()))
        return
    keys = list(thing.items)
    for key in keys:
        body(show(key))
        items = m.heap.read(value).items
        if items is None:
            any_number(m, value, body)
            return
        if len(items) != len(keys):
            m.raise_builtin("RuntimeError")


def _over_view(m: Machine, view: View, body: Body) -> None:
    def show(key: Any) -> Any:
        value = m.heap.read(view.table).items[key]
        return {"keys": key, "values": value, "items": (key, value)}[view.kind]

    _over_table(m, view.table, body, show)


def has_order(thing: Table) -> bool:
    """Whether a set is gone through in an order that is certain."""
    return thing.items is not None and len(thing.items) < 2


def _over_iteration(m: Machine, value: Ref, body: Body) -> None:
    while True:
        m.budget.step()
        position = m.heap.read(value).position
        if position is None or position > m.domain.longest:
            any_number(m, value, body)
            return
        kind, source = m.heap.read(value).kind, m.heap.read(value).source
        # What is made of something that only runs from its start to its end runs with it.
        inner = source if kind in ("map", "filter", "enumerate", "iter") else None
        if inner is not None and m.heap.read(value).position == 0 and _runs_through(m, inner[0]):
            m.heap.write(value).position = None
            _through(m, kind, inner, body)
            return
        try:
            item = advance(m, value)
        except NothingLeft:
            return
        except NotTold:
            any_number(m, value, body)
            return
        body(item)


def _runs_through(m: Machine, source: Any) -> bool:
    thing = m.heap.read(source) if isinstance(source, Ref) else None
    if isinstance(thing, Iteration) and thing.kind in ("map", "filter", "enumerate", "iter"):
        return thing.position == 0 and _runs_through(m, thing.source[0])
    return isinstance(thing, Suspended) or (isinstance(thing, Instance) and thing.payload is None)


def _through(m: Machine, kind: str, source: tuple[Any, ...], body: Body) -> None:
    """Go through what `map`, `filter` and `enumerate` make of a generator, in step with it."""
    count = source[1] if kind == "enumerate" else 0

    def each(item: Any) -> None:
        nonlocal count
        if kind == "map":
            body(m.call(source[1], Arguments((item,))))
        elif kind == "enumerate":
            count += 1
            body((count - 1, item))
        elif kind == "filter":
            test = m.truth(m.call(source[1], Arguments((item,))) if source[1] is not None else item)
            if test is None:
                either(m, (lambda: None, lambda: body(item)))
            elif test:
                body(item)
        else:
            body(item)

    iterate(m, source[0], each)


def advance(m: Machine, value: Ref) -> Any:
    """The next item of an iterator. Raises NothingLeft at its end, NotTold where that is not known."""
    iteration = m.heap.write(value)
    if not isinstance(iteration, Iteration) or iteration.position is None:
        return _unseen(m, value)
    kind, source, position = iteration.kind, iteration.source, iteration.position
    iteration.position = position + 1
    if kind == "zip":
        return _next_of_zip(m, value, source)
    if kind == "chain":
        return _next_of_chain(m, value, source)
    if kind == "map":
        items = [next_item(m, one) for one in (source[0], *source[2:])]
        return m.call(source[1], Arguments(tuple(items)))
    if kind == "enumerate":
        return source[1] + position, next_item(m, source[0])
    if kind == "filter":
        while True:
            item = next_item(m, source[0])
            test = m.truth(m.call(source[1], Arguments((item,))) if source[1] is not None else item)
            if test is None:
                m.heap.write(value).position = None
                raise NotTold
            if test:
                return item
    if kind == "count":
        return m.operate(m.ADD, source[0], m.operate(m.MULTIPLY, source[1], position))
    if kind == "cycle":
        return source[position % len(source)] if source else _end(m, value)
    return _at(m, value, source[0], position)


def _at(m: Machine, value: Ref, source: Any, position: int) -> Any:
    """The item of something that has places."""
    if isinstance(source, tuple | str | bytes | range):
        return source[position] if position < len(source) else _end(m, value)
    thing = m.heap.read(source) if isinstance(source, Ref) else None
    items = thing.items if isinstance(thing, Sequence | Table) else None
    if items is None or (isinstance(thing, Table) and thing.kind == "set" and not has_order(thing)):
        return _unseen(m, value)
    return list(items)[position] if position < len(items) else _end(m, value)


def _end(m: Machine, value: Ref) -> Any:
    m.heap.write(value).position = 10**9
    raise NothingLeft


def next_item(m: Machine, source: Any) -> Any:
    """The next item of a source that remembers where it is. Raises NothingLeft and NotTold."""
    thing = m.heap.read(source) if isinstance(source, Ref) else None
    return advance(m, source) if isinstance(thing, Iteration) else _unseen(m, source)


def _next_of_zip(m: Machine, value: Ref, source: tuple[Any, ...]) -> Any:
    if not source:
        raise NothingLeft
    return tuple(next_item(m, one) for one in source)


def _next_of_chain(m: Machine, value: Ref, source: tuple[Any, ...]) -> Any:
    for one in source:
        try:
            return next_item(m, one)
        except NothingLeft:
            continue
    raise NothingLeft


def _unseen(m: Machine, value: Any) -> Any:
    """Something that nobody can follow is asked for an item; it may as well have ended. Raises NotTold."""
    m.lose_iterated(value)
    m.may_raise()
    raise NotTold


def _over_instance(m: Machine, value: Ref, body: Body) -> None:
    answer = m.domain.items(m, value)
    if answer is not None:
        for item in answer:
            body(item)
        return
    method = m.class_member(value, "__iter__")
    if method is not None:
        made = m.call(method, Arguments())
        if made == value:
            _over_iterator(m, value, body)
        else:
            iterate(m, made, body)
        return
    getter = m.class_member(value, "__getitem__")
    if getter is None or m.heap.read(value).is_lost:
        any_number(m, value, body)
        return
    for index in range(LONGEST):
        found = m.caught(lambda index=index: m.call(getter, Arguments((index,))), "IndexError")  # type: ignore[misc]
        if found is m.ENDED:
            return
        body(found)
    any_number(m, value, body)


def _over_iterator(m: Machine, value: Ref, body: Body) -> None:
    """An object that is its own iterator."""
    method = m.class_member(value, "__next__")
    if method is None:
        any_number(m, value, body)
        return
    for _ in range(LONGEST):
        found = m.caught(lambda: m.call(method, Arguments()), "StopIteration")
        if found is m.ENDED:
            return
        body(found)
    any_number(m, value, body)
