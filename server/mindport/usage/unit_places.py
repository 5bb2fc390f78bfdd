"""The places of a file that have rules of their own: those of one unit, and those of the statements of a module, which
see what the statements before them left."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping

from mindport.model.span import Span
from mindport.source.module import Unit, UnitKind
from mindport.usage.api_use import ApiUse
from mindport.usage.places import CodePlace, Topic
from mindport.usage.shapes.walker import COLLATE, ShapeWalker

Rows = Mapping[ast.AST, ApiUse]
SpanOf = Callable[[ast.AST], Span]

_LONGEST_TEXT = 60
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def is_module_code(unit: Unit) -> bool:
    """Whether the unit does something when the module is loaded, beyond defining and importing."""
    return unit.kind is UnitKind.STATEMENT and not all(
        isinstance(one, _DEFINITIONS) for one in unit.statements
    )


def unit_places(unit: Unit, rows: Rows, names: Mapping[str, str], span: SpanOf) -> tuple[CodePlace, ...]:
    """The places of a unit that defines something, in the order of their spans. `rows` are its uses of torch by their
    nodes, `names` what names of the file mean in MindSpore, `span` the place of a node in the present text."""
    if unit.kind is UnitKind.CLASS or not (rows or names or _collates(unit)):
        return ()
    found = _Collector(span)
    ShapeWalker(rows, names, found.note).walk(unit.statements)
    return found.places()


def module_places(
    units: Iterable[tuple[Unit, Rows]], names: Mapping[str, str], span: Callable[[ast.AST, int], Span]
) -> tuple[CodePlace, ...]:
    """The places of all that a module does when it is loaded. `span` gets the shift of the unit besides."""
    units = list(units)
    if not names and not any(rows for _, rows in units):
        return ()
    found = _Collector(span=lambda node: span(node, shift))
    rows: dict[ast.AST, ApiUse] = {}
    walker = ShapeWalker(rows, names, found.note)
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

    def note(self, topic: Topic, node: ast.AST, name: str, cause: str) -> None:
        text = ast.unparse(node)
        if len(text) > _LONGEST_TEXT:
            text = f"{text[: _LONGEST_TEXT - 3]}..."
        self._found.append(CodePlace(topic, self._span(node), text, name, cause))

    def places(self) -> tuple[CodePlace, ...]:
        return tuple(sorted(self._found, key=lambda place: (place.span, place.topic.value)))
