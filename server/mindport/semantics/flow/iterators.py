"""Functions of itertools over values."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import builtins, iteration
from mindport.semantics.flow.builtins import Python
from mindport.semantics.flow.frame import Frame
from mindport.semantics.flow.objects import Iteration
from mindport.semantics.flow.values import UNKNOWN, Arguments, Given, Named, Ref, is_plain

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine


def _lazily(kind: str) -> Python:
    def make(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
        return m.new(Iteration(kind, tuple(builtins.as_iterator(m, one) for one in given)))

    return make


def _chain_from(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    groups = m.items_of(given[0])
    return UNKNOWN if groups is None else _lazily("chain")(m, frame, tuple(groups), {})


def _count(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    start = given[0] if given else named.get("start", 0)
    return m.new(Iteration("count", (start, given[1] if len(given) > 1 else named.get("step", 1))))


def _cycle(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    items = m.items_of(given[0])
    return UNKNOWN if items is None else m.new(Iteration("cycle", tuple(items)))


def _repeat(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    times = given[1] if len(given) > 1 else named.get("times")
    if times is None:
        return m.new(Iteration("cycle", (given[0],)))
    if not isinstance(times, int) or times > 10_000:
        return UNKNOWN
    return m.new(Iteration("iter", ((given[0],) * times,)))


def _listed(compute: Callable[..., Any], groups: int | None = None) -> Python:
    """A function of itertools over items that are all known, where it does not matter when they are asked for."""

    def make(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
        count = len(given) if groups is None else groups
        items = [m.items_of(one) for one in given[:count]]
        rest = given[count:]
        if any(one is None for one in items) or not all(is_plain(one) for one in (*rest, *named.values())):
            m.lose(given)
            return UNKNOWN
        found = m.applied(lambda: list(itertools.islice(compute(*items, *rest, **named), 20_000)))
        return m.new(Iteration("iter", (tuple(found),)))

    return make


def _slice(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    numbers = given[1:]
    if not all(is_plain(one) for one in numbers):
        m.lose(given[:1])
        return UNKNOWN
    start, stop, step = (None, numbers[0], None) if len(numbers) == 1 else (*numbers, None)[:3]
    thing = m.heap.read(given[0]) if isinstance(given[0], Ref) else None
    if not isinstance(thing, Iteration):
        items = m.items_of(given[0])
        return UNKNOWN if items is None else m.new(
            Iteration("iter", (tuple(itertools.islice(items, start, stop, step)),))
        )  # fmt: skip
    if stop is None or stop > 10_000:
        m.lose(given[:1])
        return UNKNOWN
    found: list[Any] = []
    try:
        for _ in range(stop):
            found.append(iteration.advance(m, given[0]))
    except iteration.NotTold:
        return UNKNOWN
    except iteration.NothingLeft:
        pass
    return m.new(Iteration("iter", (tuple(found[start or 0 :: step or 1]),)))


def _accumulate(m: Machine, frame: Frame, given: Given, named: Named) -> Any:
    items = m.items_of(given[0])
    function = given[1] if len(given) > 1 else named.get("func")
    if items is None:
        m.lose(given)
        return UNKNOWN
    initial = [named["initial"]] if named.get("initial") is not None else []

    def add(one: Any, two: Any) -> Any:
        return m.operate(m.ADD, one, two) if function is None else m.call(function, Arguments((one, two)))

    return m.new(Iteration("iter", (tuple(itertools.accumulate([*initial, *items], add)),)))


ITERTOOLS: dict[str, Python] = {
    "itertools.chain": _lazily("chain"), "itertools.chain.from_iterable": _chain_from, "itertools.count": _count,
    "itertools.cycle": _cycle, "itertools.repeat": _repeat, "itertools.product": _listed(itertools.product),
    "itertools.permutations": _listed(itertools.permutations, 1),
    "itertools.combinations": _listed(itertools.combinations, 1),
    "itertools.combinations_with_replacement": _listed(itertools.combinations_with_replacement, 1),
    "itertools.pairwise": _listed(itertools.pairwise, 1), "itertools.zip_longest": _listed(itertools.zip_longest),
    "itertools.islice": _slice, "itertools.accumulate": _accumulate,
}  # fmt: skip
