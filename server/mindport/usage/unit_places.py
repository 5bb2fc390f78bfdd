"""The places of a file that have rules of their own: those of one unit, and those of the statements of a module, which
see what the statements before them left."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Set

from mindport.model.span import Span
from mindport.source.module import Unit, UnitKind
from mindport.usage.api_use import ApiUse
from mindport.usage.graph_constructs import JIT, compiled_by, find_constructs
from mindport.usage.places import CodePlace, Selection, Topic
from mindport.usage.shapes.origins import may_vary
from mindport.usage.shapes.walker import COLLATE, ShapeWalker

Rows = Mapping[ast.AST, ApiUse]
SpanOf = Callable[[ast.AST], Span]

_LONGEST_TEXT = 60
_NUMPY = frozenset(("np", "numpy"))
_BLOCKS = (ast.Try, ast.With, ast.ClassDef, ast.Match)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def is_module_code(unit: Unit) -> bool:
    """Whether the unit does something when the module is loaded, beyond defining and importing."""
    return unit.kind is UnitKind.STATEMENT and not all(
        isinstance(one, _DEFINITIONS) for one in unit.statements
    )


def unit_places(
    unit: Unit, rows: Rows, names: Mapping[str, str], read: Set[str], span: SpanOf
) -> tuple[CodePlace, ...]:
    """The places of a unit that defines something, in the order of their spans. `rows` are its uses of torch by their
    nodes, `names` what names of the file mean in MindSpore, `read` the names that it reads from outside, `span` the
    place of a node in the present text."""
    if unit.kind is UnitKind.CLASS or not (rows or names or _collates(unit)):
        return ()
    found = _Collector(span)
    compiled = [one for one in unit.statements if compiled_by(one, rows, names)]
    if compiled or names or may_vary(rows, read) or _collates(unit):
        ShapeWalker(rows, names, found.note, not _NUMPY.isdisjoint(read)).walk(unit.statements)
    for function in compiled:
        found.constructs(function, rows, compiled_by(function, rows, names))
    return found.places()


def called_places(
    function: ast.stmt, rows: Rows, names: Mapping[str, str], read: Set[str], span: SpanOf, why: str
) -> tuple[CodePlace, ...]:
    """What only matters in a graph in a function that is compiled with one that calls it, for the reason `why`."""
    found = _Collector(span)
    walker = ShapeWalker(rows, names, found.note, not _NUMPY.isdisjoint(read))
    walker.compiled = why
    walker.walk([function])
    found.constructs(function, rows, why)
    return tuple(place for place in found.places() if place.topic is Topic.GRAPH)


def module_places(
    units: Iterable[tuple[Unit, Rows]],
    names: Mapping[str, str],
    bound: Set[str],
    span: Callable[[ast.AST, int], Span],
) -> tuple[CodePlace, ...]:
    """The places of all that a module does when it is loaded. `bound` are the names that it binds; `span` gets the
    shift of the unit besides."""
    units = list(units)
    if not names and not any(rows for _, rows in units):
        return ()
    found = _Collector(span=lambda node: span(node, shift))
    rows: dict[ast.AST, ApiUse] = {}
    walker = ShapeWalker(rows, names, found.note, not _NUMPY.isdisjoint(bound))
    for unit, own in units:
        shift = unit.shift
        rows.update(own)
        walker.walk_on(unit.statements)
    return found.places()


def _collates(unit: Unit) -> bool:
    return any(isinstance(one, ast.FunctionDef) and COLLATE in one.name for one in unit.statements)


class _Collector:
    """What a walk noted."""

    def __init__(self, span: SpanOf) -> None:
        self._span = span
        self._found: list[CodePlace] = []

    def note(self, topic: Topic, node: ast.AST, name: str, cause: str, by: Selection) -> None:
        """Note one place; of a construct in a graph the cause is why it is compiled."""
        if topic is Topic.GRAPH:
            self._add(topic, node, name, "", cause == JIT)
        else:
            self._add(topic, node, name, cause, False, by)

    def _add(
        self,
        topic: Topic,
        node: ast.AST,
        name: str,
        cause: str,
        is_compiled: bool,
        by: Selection = Selection.NONE,
    ) -> None:
        text = ast.unparse(node).partition("\n")[0]
        if len(text) > _LONGEST_TEXT:
            text = f"{text[: _LONGEST_TEXT - 3]}..."
        span = self._span(node)
        if isinstance(node, _BLOCKS):
            # A block is marked where it begins.
            width = len(type(node).__name__.lower().removeprefix("async"))
            span = Span(span.line, span.column, span.line, span.column + width)
        self._found.append(CodePlace(topic, span, text, name, cause, by, is_compiled))

    def constructs(self, function: ast.stmt, rows: Rows, why: str) -> None:
        """Note what is special in a function that is compiled, for the reason `why`."""
        if isinstance(function, ast.FunctionDef):

            def note(node: ast.AST, construct: str) -> None:
                self._add(Topic.GRAPH, node, construct, "", why == JIT)

            find_constructs(function, rows, note)

    def places(self) -> tuple[CodePlace, ...]:
        return tuple(sorted(self._found, key=lambda place: (place.span, place.topic.value)))
