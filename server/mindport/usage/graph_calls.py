"""Functions that become part of a graph because one that is compiled calls them, and the constructs in them.

Calls are followed through functions and methods of the project whose types are known for certain. What a constructor
does is not followed: it runs before the graph is compiled, or on constants."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Iterator, Mapping

import msgspec

from mindport.model.span import Span
from mindport.source.module import Unit, UnitKind
from mindport.usage.files import FileState
from mindport.usage.graph_constructs import JIT, NETWORK, compiled_by
from mindport.usage.places import CalledPlace, Caller, CodePlace
from mindport.usage.resolve import Resolver
from mindport.usage.types import Tag, make
from mindport.usage.unit_places import called_places
from mindport.usage.variables import UnitSummary

# Without one of them a text compiles nothing.
_SIGNS = ("jit", "ms_function")
_NETWORK_SIGNS = ("def construct", "def forward")


class _Function(msgspec.Struct, frozen=True, eq=False):
    """A unit that is a function or method, where it stands."""

    state: FileState
    unit: Unit
    summary: UnitSummary
    node: ast.FunctionDef | ast.AsyncFunctionDef

    def caller(self) -> Caller:
        """The function as one that calls another."""
        start, column = self.node.lineno + self.unit.shift, self.node.col_offset
        keyword = "async def " if isinstance(self.node, ast.AsyncFunctionDef) else "def "
        first = self.state.index.column_of_byte(start, column) + len(keyword)
        owner = f"{self.unit.owner}." if self.unit.kind is UnitKind.MEMBER else ""
        span = Span(start, first, start, first + len(self.node.name))
        return Caller(self.state.path, span, f"{owner}{self.node.name}")


class _Reached(msgspec.Struct, frozen=True, eq=False):
    """A function that becomes part of a graph: why, and which function calls it; None for what is compiled itself."""

    function: _Function
    why: str
    caller: UnitSummary | None


class _File:
    """What one text of a file says: its functions by their keys, those that are compiled, and whom the units call. It
    is walked only when something leads into it."""

    __slots__ = ("callees", "functions", "roots", "text")

    def __init__(self, text: str, callees: dict[UnitSummary, tuple[str, ...]]) -> None:
        self.text = text
        self.functions: dict[str, _Function] | None = None
        self.roots: tuple[_Reached, ...] | None = None
        self.callees = callees


class GraphCalls:
    """The functions of a project that become part of a graph. `texts` are its files, `state` gives one of them walked,
    `revision` grows whenever an edit of one file may have changed what a call in another one means."""

    def __init__(
        self,
        texts: Mapping[str, str],
        state: Callable[[str], FileState],
        resolver: Resolver,
        revision: Callable[[], int],
    ) -> None:
        self._texts = texts
        self._state = state
        self._resolver = resolver
        self._revision = revision
        self._known: tuple[int, bool] = (-1, False)
        self._files: dict[str, _File] = {}

    def places(self, path: str, *, networks: bool) -> tuple[CalledPlace, ...]:
        """The constructs in functions of a file that compiled ones call. `networks` says that networks are compiled,
        not only what is decorated so."""
        reached = self._reached(networks)
        found: list[CalledPlace] = []
        for one in reached.values():
            state = one.function.state
            if one.caller is not None and state.path == path:
                callers = tuple(reversed([before.caller() for before in _way(one, reached)]))
                found += (CalledPlace(place, callers) for place in _places(one))
        return tuple(sorted(found, key=lambda one: one.place.span))

    def _reached(self, networks: bool) -> dict[UnitSummary, _Reached]:
        self._refresh(networks)
        roots = [root for path in self._files for root in self._roots_of(path, networks)]
        # What is compiled in every mode comes first, and decides for what it calls.
        roots.sort(key=lambda root: root.why != JIT)
        reached = {root.function.summary: root for root in roots}
        pending = deque(roots)
        while pending:
            one = pending.popleft()
            for key in self._callees_of(one.function):
                path = key.rpartition(":")[0]
                called = self._functions_of(path).get(key) if path in self._files else None
                if called is not None and called.summary not in reached:
                    reached[called.summary] = _Reached(called, one.why, one.function.summary)
                    pending.append(reached[called.summary])
        return reached

    def _refresh(self, networks: bool) -> None:
        """Take the present files; what an edit may have changed is dropped."""
        now = (self._revision(), networks)
        known = self._files if now == self._known else {}
        self._known = now
        files = {}
        for path, text in self._texts.items():
            before = known.get(path)
            if before is None:
                before = _File(text, {})
            elif before.text is not text:
                before = _File(text, _of_units(self._state(path), before.callees))
            files[path] = before
        self._files = files

    def _functions_of(self, path: str) -> dict[str, _Function]:
        file = self._files[path]
        if file.functions is None:
            file.functions = dict(_functions(self._state(path)))
        return file.functions

    def _roots_of(self, path: str, networks: bool) -> tuple[_Reached, ...]:
        file = self._files[path]
        if file.roots is None:
            signs = (*_SIGNS, *_NETWORK_SIGNS) if networks else _SIGNS
            found = self._compiled(path, networks) if any(sign in file.text for sign in signs) else ()
            file.roots = tuple(one for one in found if networks or one.why == JIT)
        return file.roots

    def _compiled(self, path: str, networks: bool) -> Iterator[_Reached]:
        state = self._state(path)
        for function in self._functions_of(path).values():
            why = compiled_by(function.node, {}, state.mindspore_names)
            is_method = function.unit.kind is UnitKind.MEMBER
            if networks and not why and function.node.name == "forward" and is_method:
                owner = make(Tag.PROJECT_CLASS, f"{state.path}:{function.unit.owner}")
                why = NETWORK if self._resolver.is_module(owner) else ""
            if why:
                yield _Reached(function, why, None)

    def _callees_of(self, function: _Function) -> tuple[str, ...]:
        """The keys of the functions that one certainly calls."""
        callees, summary = self._files[function.state.path].callees, function.summary
        found = callees.get(summary)
        if found is None:
            resolver = self._resolver
            outer, resolver.current = resolver.current, summary
            called = [resolver.callee_of(call) for call in summary.calls]
            resolver.current = outer
            keys = (one[0].key for one in called if one is not None)
            found = callees[summary] = tuple(
                dict.fromkeys(key for key in keys if not key.endswith(".__init__"))
            )
        return found


def _functions(state: FileState) -> Iterator[tuple[str, _Function]]:
    """The functions and methods of a file that are units of their own, by their keys."""
    for unit, summary in zip(state.module.units, state.summaries, strict=True):
        nodes = [one for one in unit.statements if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
        if len(unit.statements) != 1 or not nodes:
            continue
        owner = f"{unit.owner}." if unit.kind is UnitKind.MEMBER else ""
        yield f"{state.path}:{owner}{nodes[0].name}", _Function(state, unit, summary, nodes[0])


def _of_units(
    state: FileState, callees: dict[UnitSummary, tuple[str, ...]]
) -> dict[UnitSummary, tuple[str, ...]]:
    """The callees of those units that the file still has."""
    return {one: callees[one] for one in state.summaries if one in callees} if callees else {}


def _way(reached: _Reached, all_reached: dict[UnitSummary, _Reached]) -> Iterator[_Function]:
    """The functions that lead to one, the nearest first."""
    while reached.caller is not None:
        reached = all_reached[reached.caller]
        yield reached.function


def _places(reached: _Reached) -> tuple[CodePlace, ...]:
    """The constructs in a function, as they are where it stands now."""
    function = reached.function
    rows = function.state.rows.get(function.summary)
    if rows is None:
        return ()
    if rows.called is None or rows.called[0] != reached.why:

        def span(node: ast.AST) -> Span:
            return _span(node, function)

        names = function.state.mindspore_names
        found = called_places(function.node, rows.placed, names, function.summary.names, span, reached.why)
        rows.called = (reached.why, found)
    return rows.called[1]


def _span(node: ast.AST, function: _Function) -> Span:
    shift, index = function.unit.shift, function.state.index
    first, last = node.lineno + shift, node.end_lineno + shift  # type: ignore[attr-defined]
    return Span(
        first,
        index.column_of_byte(first, node.col_offset),  # type: ignore[attr-defined]
        last,
        index.column_of_byte(last, node.end_col_offset),  # type: ignore[attr-defined]
    )
