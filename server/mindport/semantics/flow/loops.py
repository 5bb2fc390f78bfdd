"""Loops."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import iteration
from mindport.semantics.flow.frame import Exits, Frame
from mindport.semantics.flow.paths import either, end, meet, repeat
from mindport.semantics.flow.values import UNKNOWN

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

_MOST_DOUBTFUL = 8  # rounds of a loop that may have been left already


def run_for(m: Machine, frame: Frame, node: ast.For) -> None:
    """`for`: the body for each item that can be told, else any number of times."""
    items = m.evaluate(frame, node.iter)

    def body(item: Any) -> None:
        m.assign(frame, node.target, item, node.iter)
        m.run(frame, node.body)

    _loop(
        m, frame, lambda once: iteration.iterate(m, items, lambda item: once(lambda: body(item))), node.orelse
    )


def run_async_for(m: Machine, frame: Frame, node: ast.AsyncFor) -> None:
    """`async for`: nobody knows over what."""
    m.lose((m.evaluate(frame, node.iter),))

    def body() -> None:
        m.assign(frame, node.target, UNKNOWN, node.iter)
        m.run(frame, node.body)

    _loop(m, frame, lambda once: repeat(m, frame, lambda: once(body)), node.orelse)


def run_while(m: Machine, frame: Frame, node: ast.While) -> None:
    """`while`: as often as the test is known to hold, then any number of times."""

    def every(once: Callable[[Callable[[], None]], None]) -> None:
        left_early = rounds_done = 0
        while left_early < _MOST_DOUBTFUL and rounds_done <= m.domain.longest:
            m.budget.step()
            rounds_done += 1
            test = m.truth(m.evaluate(frame, node.test))
            if test is False:
                return
            if test is None:
                break
            once(lambda: m.run(frame, node.body))
            left_early += bool(frame.exits.breaks)
        # The test has been asked; from here on nobody knows how often it holds.
        either(m, (lambda: None, lambda: rounds(once)))

    def rounds(once: Callable[[Callable[[], None]], None]) -> None:
        once(lambda: m.run(frame, node.body))
        repeat(m, frame, lambda: again(once))
        m.evaluate(frame, node.test)

    def again(once: Callable[[Callable[[], None]], None]) -> None:
        m.evaluate(frame, node.test)
        once(lambda: m.run(frame, node.body))

    _loop(m, frame, every, node.orelse)


def _loop(
    m: Machine,
    frame: Frame,
    every: Callable[[Callable[[Callable[[], None]], None]], None],
    orelse: list[ast.stmt],
) -> None:
    """Run a loop: `every` calls what it is given for each round, with what the round does."""
    outer = frame.exits
    frame.exits = exits = Exits()
    exits.returns = outer.returns

    def once(work: Callable[[], None]) -> None:
        exits.continues = []
        ends = end(m, work) + exits.continues
        exits.continues = []
        meet(m, ends)

    try:
        ends = end(m, lambda: every(once))
    finally:
        frame.exits = outer
    if ends:
        ends = end(m, lambda: m.run(frame, orelse))
    meet(m, ends + exits.breaks)
