"""Generators run in step with whoever goes through them; coroutines when they are awaited."""

# mypy: disable-error-code="misc"
# The methods are those of Machine, which is made of this class and others: mypy cannot be told so.
from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import functions, iteration
from mindport.semantics.flow.budget import BudgetSpent
from mindport.semantics.flow.frame import Frame, Path, Unreachable
from mindport.semantics.flow.heap import Heap
from mindport.semantics.flow.objects import Function, Suspended
from mindport.semantics.flow.scopes import scope_of
from mindport.semantics.flow.values import UNKNOWN, Dotted, Ref, is_unknown

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine


class Generators:
    """Runs what waits."""

    ENDED: Any = object()

    def run_suspended(self: Machine, ref: Ref, body: Callable[[Any], Any]) -> Any:
        """Run a generator to its end, with `body` for each item that it yields; gives what it returns. What `body`
        gives is what `yield` is worth."""
        thing: Suspended = self.heap.read(ref)
        if thing.is_started:
            return None
        if thing.is_started is None:
            iteration.any_number(self, ref, body)
            return UNKNOWN
        self.heap.write(ref).is_started = None
        if not isinstance(thing.code, Ref):
            thing.code(self._given(body, self.frame, is_context=False, cleans_up=False))
            value = None
        else:
            value = self._run_function(ref, thing, body)
        self.heap.write(ref).is_started = True
        return value

    def _run_function(self: Machine, ref: Ref, thing: Suspended, body: Callable[[Any], Any]) -> Any:
        function: Function = self.heap.read(thing.code)
        if isinstance(function.node, ast.AsyncFunctionDef):
            iteration.any_number(self, ref, body)
            return UNKNOWN
        frame = functions.frame_of(self, function, thing.names)
        frame.when_yielded = self._given(
            body, self.frame, self.is_context(ref), scope_of(function.node).cleans_up
        )
        raised: list[Path] = []
        self.catchers.append(raised)
        try:
            return functions.run_in(self, frame)
        finally:
            self.catchers.pop()
            for heap, what in raised:
                self.catchers[-1].append((heap, self._out_of_generator(heap, what)))

    def _out_of_generator(self: Machine, heap: Heap, what: Any) -> Any:
        """What a generator raises: a StopIteration of its own becomes a RuntimeError."""
        here = self.heap
        self.heap = heap
        try:
            if not is_unknown(what) and self.is_instance(what, Dotted("builtins.StopIteration")) is True:
                return self.instance(Dotted("builtins.RuntimeError"), {"args": UNKNOWN})
            return what
        finally:
            self.heap = here

    def _given(
        self: Machine, body: Callable[[Any], Any], consumer: Frame, is_context: bool, cleans_up: bool
    ) -> Callable[[Any], Any]:
        """What `yield` does: the consumer goes on with the item in its own frame, under its own handlers."""
        depth = len(self.catchers)

        def give(value: Any) -> Any:
            inner = self.frame
            self.frame = consumer
            catchers = self.catchers
            if not is_context:
                self.catchers = catchers[:depth]
            left = [*consumer.exits.kinds(), self.catchers[-1]]
            before = [len(paths) for paths in left]
            try:
                return body(value)
            finally:
                if cleans_up and not is_context:
                    _lose_left(left, before)
                self.catchers = catchers
                self.frame = inner

        return give

    def is_context(self: Machine, ref: Ref) -> bool:
        """Whether a generator is what a function with `@contextmanager` gave."""
        thing: Suspended = self.heap.read(ref)
        return isinstance(thing.code, Ref) and "__contextmanager__" in self.heap.read(thing.code).attributes

    def awaited(self: Machine, value: Any) -> Any:
        """`await value`."""
        thing = self.heap.read(value) if isinstance(value, Ref) else None
        if (
            not isinstance(thing, Suspended)
            or not isinstance(thing.code, Ref)
            or thing.is_started is not False
        ):
            self.lose((value,))
            return UNKNOWN
        self.heap.write(value).is_started = True
        function: Function = self.heap.read(thing.code)
        return functions.run(self, function, thing.names)

    def caught(self: Machine, work: Callable[[], Any], name: str) -> Any:
        """What some work gives, `ENDED` where it surely raises this exception of Python's. Where only some paths do
        nobody can go on. Raises BudgetSpent then."""
        raised: list[Path] = []
        self.catchers.append(raised)
        value: Any = self.ENDED
        try:
            value = work()
        except Unreachable:
            pass
        finally:
            self.catchers.pop()
        kind = Dotted(f"builtins.{name}")
        is_ours: list[Path] = []
        for heap, what in raised:
            here, self.heap = self.heap, heap
            takes = self.is_instance(what, kind)
            self.heap = here
            if takes is False:
                self.catchers[-1].append((heap, what))
            else:
                is_ours.append((heap, what))
        if value is not self.ENDED:
            if any(not is_unknown(what) for _, what in is_ours):
                raise BudgetSpent
            if is_ours:
                self.may_raise()
            return value
        if not is_ours:
            raise Unreachable
        heap = is_ours[0][0]
        for other, _ in is_ours[1:]:
            heap = heap.joined(other)
        self.heap = heap
        return self.ENDED


def _lose_left(left: list[list[Path]], before: list[int]) -> None:
    """What a generator cleans up when it is left early is not followed."""
    for paths, count in zip(left, before, strict=True):
        for heap, _ in paths[count:]:
            heap.lose_everything()
