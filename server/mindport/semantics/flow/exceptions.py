"""`raise`, `try` and `with`."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import assignment
from mindport.semantics.flow.frame import Exits, Frame, Path
from mindport.semantics.flow.objects import Class, Instance, Suspended
from mindport.semantics.flow.paths import either, end, grouped, guarded, meet
from mindport.semantics.flow.values import UNKNOWN, Arguments, Dotted, Ref, is_unknown

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine


def run_raise(m: Machine, frame: Frame, node: ast.Raise) -> None:
    """`raise`, also of what is handled at the moment."""
    if node.exc is None:
        m.raise_(frame.handling[-1] if frame.handling else UNKNOWN)
    value = m.evaluate(frame, node.exc) if node.exc is not None else None
    if node.cause is not None:
        m.evaluate(frame, node.cause)
    is_class = isinstance(value, Dotted) or (isinstance(value, Ref) and isinstance(m.heap.read(value), Class))
    m.raise_(m.call(value, Arguments()) if is_class else value)


def run_try(m: Machine, frame: Frame, node: ast.Try) -> None:
    """`try` with all its parts."""
    if not node.finalbody:
        _handled(m, frame, node)
        return

    def finish(kind: str, what: Any) -> bool:
        with_exception = kind == "raise"
        frame.handling.append(what) if with_exception else None
        try:
            m.run(frame, node.finalbody)
        finally:
            frame.handling.pop() if with_exception else None
        return False

    guarded(m, frame, lambda: _handled(m, frame, node), finish)


def _handled(m: Machine, frame: Frame, node: ast.Try) -> None:
    raised: list[Path] = []
    m.catchers.append(raised)
    try:
        ends = end(m, lambda: m.run(frame, node.body))
    finally:
        m.catchers.pop()
    if ends:
        ends = end(m, lambda: m.run(frame, node.orelse))
    for heap, what in grouped(raised):
        m.heap = heap
        ends += end(m, lambda what=what: _handle(m, frame, node.handlers, what))  # type: ignore[misc]
    meet(m, ends)


def _handle(m: Machine, frame: Frame, handlers: list[ast.ExceptHandler], what: Any) -> None:
    """Go on in the first handler that takes an exception; raise it on where none does."""
    if not handlers:
        m.raise_(what)
    first, rest = handlers[0], handlers[1:]
    kind = None if first.type is None else m.evaluate(frame, first.type)
    takes = True if first.type is None else _takes(m, kind, what)
    if takes is False:
        _handle(m, frame, rest, what)
    elif takes:
        _in_handler(m, frame, first, what)
    else:
        either(m, (lambda: _in_handler(m, frame, first, what), lambda: _handle(m, frame, rest, what)))


def _in_handler(m: Machine, frame: Frame, handler: ast.ExceptHandler, what: Any) -> None:
    def work() -> None:
        if handler.name:
            m.bind(frame, handler.name, what)
        m.run(frame, handler.body)

    def forget(kind: str, raised: Any) -> bool:
        frame.handling.pop()
        if handler.name:
            m.unbind(frame, handler.name, is_sure=False)
        frame.handling.append(what)
        return False

    frame.handling.append(what)
    try:
        guarded(m, frame, work, forget)
    finally:
        frame.handling.pop()


def _takes(m: Machine, kind: Any, what: Any) -> bool | None:
    """Whether a handler takes an exception. What unknown code raises is some Exception."""
    if kind in (Dotted("builtins.Exception"), Dotted("builtins.BaseException")) and is_unknown(what):
        return True
    if isinstance(kind, tuple):
        answers = [_takes(m, one, what) for one in kind]
        return True if True in answers else None if None in answers else False
    return m.is_instance(what, kind)


def run_try_star(m: Machine, frame: Frame, node: Any) -> None:
    """`except*`: what is raised goes to several handlers, which nobody follows in detail."""

    def work() -> None:
        m.run(frame, node.body)
        m.run(frame, node.orelse)

    def handle(kind: str, what: Any) -> bool | None:
        if kind == "raise":
            for handler in node.handlers:
                either(m, (lambda: None, lambda handler=handler: _in_handler(m, frame, handler, UNKNOWN)))  # type: ignore[misc]
            return None
        return False

    def finish(kind: str, what: Any) -> bool:
        m.run(frame, node.finalbody)
        return False

    guarded(m, frame, lambda: guarded(m, frame, work, handle), finish)


def run_with(m: Machine, frame: Frame, node: ast.With) -> None:
    """`with`, one manager after the other."""
    _with(m, frame, node.items, lambda: m.run(frame, node.body))


def run_async_with(m: Machine, frame: Frame, node: ast.AsyncWith) -> None:
    """`async with`: the managers are not followed, the body may be left early."""
    for one in node.items:
        m.lose((m.evaluate(frame, one.context_expr),))
        if one.optional_vars is not None:
            assignment.assign(m, frame, one.optional_vars, UNKNOWN, one.context_expr)
    m.may_raise()
    guarded(m, frame, lambda: m.run(frame, node.body), lambda kind, what: None)


def _with(m: Machine, frame: Frame, managers: list[ast.withitem], work: Callable[[], None]) -> None:
    if not managers:
        work()
        return
    first = managers[0]
    manager = m.evaluate(frame, first.context_expr)

    def inside(entered: Any) -> None:
        if first.optional_vars is not None:
            assignment.assign(m, frame, first.optional_vars, entered, first.context_expr)
        _with(m, frame, managers[1:], work)

    thing = m.heap.read(manager) if isinstance(manager, Ref) else None
    if isinstance(thing, Suspended) and m.is_context(manager):
        _around_generator(m, frame, manager, inside)
    elif isinstance(thing, Instance) and m.class_member(manager, "__enter__") is not None:
        _around_object(m, frame, manager, inside)
    else:
        swallows = m.domain.swallows(m, manager)
        if swallows is None and (not is_unknown(manager) or not manager.is_outside):
            m.lose((manager,) if not isinstance(thing, Instance) or thing.is_lost else ())
        entered = m.domain.entered(m, manager)
        if swallows is False:
            inside(entered)
        else:
            guarded(m, frame, lambda: inside(entered), lambda kind, what: swallows)


def _around_object(m: Machine, frame: Frame, manager: Ref, inside: Callable[[Any], None]) -> None:
    entered = m.call(m.class_member(manager, "__enter__"), Arguments())
    leave = m.class_member(manager, "__exit__")

    def finish(kind: str, what: Any) -> bool | None:
        about = (m.class_of(what), what, UNKNOWN) if kind == "raise" else (None, None, None)
        return m.truth(m.call(leave, Arguments(about)))

    guarded(m, frame, lambda: inside(entered), finish)


def _around_generator(m: Machine, frame: Frame, manager: Ref, inside: Callable[[Any], None]) -> None:
    """A function with `@contextmanager`: the body runs where it yields. What the body raises is raised there; where
    it is left otherwise the function runs to its end before the path goes on."""
    outer = frame.exits
    left: list[tuple[int, list[Path]]] = []

    def body(value: Any) -> None:
        kept = frame.exits
        frame.exits = exits = Exits()
        try:
            ends = end(m, lambda: inside(value))
        finally:
            frame.exits = kept
        if ends:
            left.append((-1, []))
        left.extend((index, paths) for index, paths in enumerate(exits.kinds()) if paths)
        meet(m, ends + [(heap, None) for _, paths in left for heap, _ in paths])

    m.run_suspended(manager, body)
    if not left or (len(left) == 1 and left[0][0] == -1):
        return
    ends = []
    for kind, paths in left:
        for _, value in paths:
            outer.kinds()[kind].append((m.heap.fork(), value))
        if kind == -1:
            ends.append((m.heap.fork(), None))
    meet(m, ends)


def builtin_exception(name: str) -> type[BaseException] | None:
    """The class of Python's own exception of a name."""
    found = getattr(builtins, name, None)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None
