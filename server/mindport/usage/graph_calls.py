"""Functions that become part of a graph because one that is compiled calls them, and the constructs in them.

Calls are followed through functions and methods of the project whose types are known for certain. What a constructor
does is not followed: it runs before the graph is compiled, or on constants."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Iterable, Iterator

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

_SIGNS = ("jit", "ms_function", "def construct", "def forward")  # without one of them a text compiles nothing


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


class GraphCalls:
    """The functions of a project that become part of a graph. `states` gives its files, `revision` grows whenever an
    edit of one file may have changed what a call in another one means."""

    def __init__(
        self, states: Callable[[], Iterable[FileState]], resolver: Resolver, revision: Callable[[], int]
    ) -> None:
        self._states = states
        self._resolver = resolver
        self._revision = revision
        self._known_revision = -1
        self._functions: dict[FileState, dict[str, _Function]] = {}
        self._roots: dict[FileState, tuple[_Reached, ...]] = {}
        self._callees: dict[UnitSummary, tuple[str, ...]] = {}

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

    # -- who calls whom

    def _reached(self, networks: bool) -> dict[UnitSummary, _Reached]:
        states = list(self._states())
        self._forget(states)
        roots = [root for state in states for root in self._roots_of(state)]
        if not networks:
            roots = [root for root in roots if root.why == JIT]
        # What is compiled in every mode comes first, and decides for what it calls.
        roots.sort(key=lambda root: root.why != JIT)
        reached = {root.function.summary: root for root in roots}
        pending = deque(roots)
        by_path = {state.path: state for state in states}
        while pending:
            one = pending.popleft()
            for key in self._callees_of(one.function.summary):
                state = by_path.get(key.rpartition(":")[0])
                called = self._functions_of(state).get(key) if state is not None else None
                if called is not None and called.summary not in reached:
                    reached[called.summary] = _Reached(called, one.why, one.function.summary)
                    pending.append(reached[called.summary])
        return reached

    def _forget(self, states: list[FileState]) -> None:
        """Drop what files that are no more said, and what an edit may have changed."""
        present = set(states)
        self._functions = {state: known for state, known in self._functions.items() if state in present}
        if self._known_revision == self._revision():
            self._roots = {state: known for state, known in self._roots.items() if state in present}
            summaries = {summary for state in states for summary in state.summaries}
            self._callees = {one: known for one, known in self._callees.items() if one in summaries}
        else:
            self._roots.clear()
            self._callees.clear()

    def _functions_of(self, state: FileState) -> dict[str, _Function]:
        found = self._functions.get(state)
        if found is None:
            found = self._functions[state] = dict(_functions(state))
        return found

    def _roots_of(self, state: FileState) -> tuple[_Reached, ...]:
        found = self._roots.get(state)
        if found is None:
            found = self._roots[state] = tuple(self._compiled(state))
        return found

    def _compiled(self, state: FileState) -> Iterator[_Reached]:
        if not any(sign in state.text for sign in _SIGNS):
            return
        for function in self._functions_of(state).values():
            why = compiled_by(function.node, {}, state.mindspore_names)
            if not why and function.node.name == "forward" and function.unit.kind is UnitKind.MEMBER:
                owner = make(Tag.PROJECT_CLASS, f"{state.path}:{function.unit.owner}")
                why = NETWORK if self._resolver.is_module(owner) else ""
            if why:
                yield _Reached(function, why, None)

    def _callees_of(self, summary: UnitSummary) -> tuple[str, ...]:
        """The keys of the functions that a unit certainly calls."""
        found = self._callees.get(summary)
        if found is None:
            resolver = self._resolver
            outer, resolver.current = resolver.current, summary
            callees = [resolver.callee_of(call) for call in summary.calls]
            resolver.current = outer
            keys = (callee[0].key for callee in callees if callee is not None)
            found = self._callees[summary] = tuple(
                dict.fromkeys(key for key in keys if not key.endswith(".__init__"))
            )
            self._known_revision = self._revision()
        return found


def _functions(state: FileState) -> Iterator[tuple[str, _Function]]:
    """The functions and methods of a file that are units of their own, by their keys."""
    for unit, summary in zip(state.module.units, state.summaries, strict=True):
        nodes = [one for one in unit.statements if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
        if len(unit.statements) != 1 or not nodes:
            continue
        owner = f"{unit.owner}." if unit.kind is UnitKind.MEMBER else ""
        yield f"{state.path}:{owner}{nodes[0].name}", _Function(state, unit, summary, nodes[0])


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
