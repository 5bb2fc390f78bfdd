"""Where paths part and meet: branches that may both be taken, loops of unknown length, and what has to run however a
body is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow.budget import MOST_ROUNDS
from mindport.semantics.flow.frame import Exits, Frame, Path, Unreachable
from mindport.semantics.flow.heap import Heap
from mindport.semantics.flow.values import UNKNOWN, is_same

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine


def either(m: Machine, ways: Iterable[Callable[[], Any]]) -> Any:
    """The value of one of several ways to go on, nobody knows of which. Raises Unreachable where none goes on."""
    start, ends = m.heap, []
    for way in ways:
        m.heap = start.fork()
        try:
            ends.append((way(), m.heap))
        except Unreachable:
            continue
    return meet(m, [(heap, value) for value, heap in ends])


def end(m: Machine, work: Callable[[], object], value: Any = None) -> list[Path]:
    """Do some work: the path that comes to its end, with a value, or none."""
    try:
        work()
    except Unreachable:
        return []
    return [(m.heap, value)]


def meet(m: Machine, paths: list[Path]) -> Any:
    """Go on where all these paths meet, with what is known of their values. Raises Unreachable for none."""
    if not paths:
        raise Unreachable
    heap, value = paths[0]
    for other, its_value in paths[1:]:
        m.budget.step(len(other) // 20)
        heap, value = heap.joined_values(other, value, its_value)
    m.heap = heap
    return value


def repeat(m: Machine, frame: Frame, once: Callable[[], None]) -> None:
    """Run something any number of times, also not at all, until nothing that it changes is news. `once` leaves the
    paths that do not come back in the frame's exits."""
    head = m.heap
    for _ in range(MOST_ROUNDS):
        m.heap = head.fork()
        unbound = m.unbound
        if not end(m, once):
            m.heap = head
            return
        after = head.fork().joined(m.heap)
        after.lose_new(head)
        # What the round gave a first value is no news to the next one, unless it was asked for before.
        if head.is_as(after, may_have_more=m.unbound == unbound):
            m.heap = after
            return
        head = after
    head.lose_everything()
    m.heap = head.fork()
    if end(m, once):
        head = head.joined(m.heap)
        head.lose_everything()
    m.heap = head


# What runs at the end of a path: the kind of the path ("end", "raise", "break", "continue", "return") and what is
# raised. It says whether an exception is swallowed; None for unknown.
Cleanup = Callable[[str, Any], bool | None]


def guarded(m: Machine, frame: Frame, work: Callable[[], None], cleanup: Cleanup) -> None:
    """Do some work, and the clean-up on each path that leaves it."""
    outer, frame.exits = frame.exits, Exits()
    raised: list[Path] = []
    m.catchers.append(raised)
    try:
        ends = end(m, work)
    finally:
        m.catchers.pop()
        inner, frame.exits = frame.exits, outer
    after = list(_cleaned(m, ends, "end", cleanup, []))
    for heap, what in grouped(raised):
        after += _cleaned(m, [(heap, what)], "raise", cleanup, m.catchers[-1])
    for kind, paths, onwards in zip(
        ("break", "continue", "return"), inner.kinds(), outer.kinds(), strict=True
    ):
        for path in paths:
            onwards.extend(_cleaned(m, [path], kind, cleanup, []))
    meet(m, after)


def _cleaned(
    m: Machine, paths: list[Path], kind: str, cleanup: Cleanup, onwards: list[Path]
) -> Iterable[Path]:
    """The paths after the clean-up; those that still raise go `onwards`."""
    for heap, what in paths:
        m.heap = heap
        try:
            is_swallowed = cleanup(kind, what)
        except Unreachable:
            continue
        if kind != "raise":
            yield m.heap, what
            continue
        if is_swallowed is not True:
            onwards.append((m.heap.fork(), what))
        if is_swallowed is not False:
            yield m.heap, None


def grouped(paths: list[Path]) -> list[Path]:
    """Paths that carry the same, joined."""
    found: list[tuple[Heap, Any]] = []
    for heap, what in paths:
        for index, (other, known) in enumerate(found):
            if is_same(what, known):
                found[index] = (other.joined(heap), known)
                break
        else:
            found.append((heap, what))
    if len(found) > 4:
        heap, _ = found[0]
        for other, what in found[1:]:
            heap = heap.joined(other)
            heap.escape((what,))
        return [(heap, UNKNOWN)]
    return found
