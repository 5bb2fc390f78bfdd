"""Functions that become part of a graph because one that is compiled calls them, and the constructs in them.

Calls are followed through functions and methods of the project whose types are known for certain. What a constructor
does is not followed: it runs before the graph is compiled, or on constants."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Iterator, Mapping

import msgspec

from mindport.model.span import Span
from mindport.source.units import Unit, UnitKind
from mindport.source.written_names import dotted_name
from mindport.usage.files import FileState
from mindport.usage.graph_constructs import JIT, NETWORK, compiled_by
from mindport.usage.places import CalledPlace, Caller, CodePlace, Topic
from mindport.usage.resolve import Resolver
from mindport.usage.types import Tag, make
from mindport.usage.unit_places import called_places
from mindport.usage.variables import UnitSummary

# Without one of them a text compiles nothing.
_SIGNS = ("jit", "ms_function")
_NETWORK_SIGNS = ("def construct", "def forward")

_CLASS_DECORATORS = ("mindspore.jit_class", "mindspore.ms_class")


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


class _Reached(msgspec.Struct, frozen=True):
    """Why a function becomes part of a graph, and the key of the one that calls it; empty for what is compiled by
    itself."""

    why: str
    caller: str = ""


class _File:
    """What one text of a file says: its functions, those that are compiled, and whom the functions call, all by their
    keys. It is walked only when something leads into it."""

    __slots__ = ("callees", "compiled", "functions", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.functions: dict[str, _Function] | None = None
        self.compiled: dict[str, str] = {}  # with the reasons
        self.callees: dict[str, tuple[UnitSummary, tuple[str, ...]]] = {}


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
        self._known: tuple[int, bool] | None = None
        self._files: dict[str, _File] = {}
        self._reached: dict[str, _Reached] | None = None

    def places(self, path: str, *, networks: bool) -> tuple[CalledPlace, ...]:
        """The constructs in functions of a file that compiled ones call. `networks` says that networks are compiled,
        not only what is decorated so."""
        self._refresh(networks)
        if self._reached is None:
            self._reached = self._search()
        found: list[CalledPlace] = []
        for key, one in self._reached.items():
            if one.caller and _path_of(key) == path:
                callers = tuple(function.caller() for function in reversed(list(self._way(one))))
                places = _places(self._functions_of(path)[key], one.why)
                found += (CalledPlace(place, callers) for place in places)
        return tuple(sorted(found, key=lambda one: one.place.span))

    def _refresh(self, networks: bool) -> None:
        """Take the present texts; what an edit may have changed is dropped."""
        now = (self._revision(), networks)
        if now != self._known:
            self._known, self._files, self._reached = now, {}, None
        for path, text in self._texts.items():
            before = self._files.get(path)
            if before is not None and before.text is text:
                continue
            file = self._files[path] = _File(text)
            file.compiled = dict(self._compiled(path, networks))
            if before is not None and self._reached is not None and not self._calls_the_same(path, before):
                self._reached = None

    def _calls_the_same(self, path: str, before: _File) -> bool:
        """Whether the functions of a file are compiled and call each other as before an edit, as far as it matters."""
        file = self._files[path]
        if file.compiled != before.compiled:
            return False
        file.callees = before.callees
        return all(
            key in self._functions_of(path) and self._callees_of(key) == callees
            for key, (_, callees) in list(before.callees.items())
        )

    def _search(self) -> dict[str, _Reached]:
        compiled = [(key, why) for file in self._files.values() for key, why in file.compiled.items()]
        # What is compiled in every mode comes first, and decides for what it calls.
        compiled.sort(key=lambda one: one[1] != JIT)
        reached = {key: _Reached(why) for key, why in compiled}
        pending = deque(reached)
        while pending:
            key = pending.popleft()
            for called in self._callees_of(key):
                path = _path_of(called)
                if called not in reached and path in self._files and called in self._functions_of(path):
                    reached[called] = _Reached(reached[key].why, key)
                    pending.append(called)
        return reached

    def _way(self, reached: _Reached) -> Iterator[_Function]:
        """The functions that lead to one, the nearest first."""
        while reached.caller:
            yield self._functions_of(_path_of(reached.caller))[reached.caller]
            reached = (self._reached or {})[reached.caller]

    def _functions_of(self, path: str) -> dict[str, _Function]:
        file = self._files[path]
        if file.functions is None:
            file.functions = dict(_functions(self._state(path)))
        return file.functions

    def _compiled(self, path: str, networks: bool) -> Iterator[tuple[str, str]]:
        signs = (*_SIGNS, *_NETWORK_SIGNS) if networks else _SIGNS
        if not any(sign in self._texts[path] for sign in signs):
            return
        state = self._state(path)
        for key, function in self._functions_of(path).items():
            why = compiled_by(function.node, {}, state.mindspore_names)
            is_method = function.unit.kind is UnitKind.MEMBER
            if networks and not why and function.node.name == "forward" and is_method:
                owner = make(Tag.PROJECT_CLASS, f"{path}:{function.unit.owner}")
                why = NETWORK if self._resolver.is_module(owner) else ""
            if why and (networks or why == JIT):
                yield key, why

    def _callees_of(self, key: str) -> tuple[str, ...]:
        """The keys of the functions that one certainly calls."""
        path = _path_of(key)
        callees, summary = self._files[path].callees, self._functions_of(path)[key].summary
        found = callees.get(key)
        if found is None or found[0] is not summary:
            resolver = self._resolver
            outer, resolver.current = resolver.current, summary
            called = [resolver.callee_of(call) for call in summary.calls]
            resolver.current = outer
            keys = (one[0].key for one in called if one is not None)
            found = callees[key] = (
                summary,
                tuple(dict.fromkeys(one for one in keys if not one.endswith(".__init__"))),
            )
        return found[1]


def _path_of(key: str) -> str:
    return key.rpartition(":")[0]


def _functions(state: FileState) -> Iterator[tuple[str, _Function]]:
    """The functions and methods of a file that are units of their own, by their keys."""
    for unit, summary in zip(state.module.units, state.summaries, strict=True):
        nodes = [one for one in unit.statements if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
        if len(unit.statements) != 1 or not nodes:
            continue
        owner = f"{unit.owner}." if unit.kind is UnitKind.MEMBER else ""
        yield f"{state.path}:{owner}{nodes[0].name}", _Function(state, unit, summary, nodes[0])


def _places(function: _Function, why: str) -> tuple[CodePlace, ...]:
    """The constructs in a function, as they are where it stands now."""
    rows = function.state.rows.get(function.summary)
    if rows is None:
        return ()
    if rows.called is None or rows.called[0] != why:

        def span(node: ast.AST) -> Span:
            return _span(node, function)

        names = function.state.mindspore_names
        found = called_places(function.node, rows.placed, names, function.summary.names, span, why)
        if function.node.name == "__call__" and not _is_decorated(function):
            place = CodePlace(
                Topic.GRAPH, function.caller().span, "__call__", "object-called", is_compiled=why == JIT
            )
            found = (place, *found)
        rows.called = (why, found)
    return rows.called[1]


def _is_decorated(function: _Function) -> bool:
    """Whether the class of a method is decorated with jit_class."""
    state = function.state
    for unit in state.module.units:
        if unit.kind is UnitKind.CLASS and unit.owner == function.unit.owner:
            decorators = [
                one
                for node in unit.statements
                if isinstance(node, ast.ClassDef)
                for one in node.decorator_list
            ]
            for parts in filter(None, map(dotted_name, decorators)):
                if ".".join((state.mindspore_names.get(parts[0], ""), *parts[1:])) in _CLASS_DECORATORS:
                    return True
    return False


def _span(node: ast.AST, function: _Function) -> Span:
    shift, index = function.unit.shift, function.state.index
    first, last = node.lineno + shift, node.end_lineno + shift  # type: ignore[attr-defined]
    return Span(
        first,
        index.column_of_byte(first, node.col_offset),  # type: ignore[attr-defined]
        last,
        index.column_of_byte(last, node.end_col_offset),  # type: ignore[attr-defined]
    )
