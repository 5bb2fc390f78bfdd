"""The places of a file that have rules of their own: those of one unit, and those of the statements of a module, which
see what the statements before them left."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from mindport.model.span import Span
from mindport.model.verdict import Confidence
from mindport.semantics.domains.shapes.arguments import TorchNames
from mindport.semantics.domains.shapes.following import varying_places
from mindport.semantics.domains.shapes.functions import COLLATE
from mindport.semantics.domains.shapes.origins import PYTHON, may_vary
from mindport.source.trees import every_node
from mindport.source.units import Unit, UnitKind
from mindport.usage.api_use import ApiUse, Form
from mindport.usage.graph_constructs import JIT, compiled_by, find_constructs
from mindport.usage.places import CodePlace, Selection, Topic

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
    if compiled or names or _may_vary(unit, rows, read) or _collates(unit):
        found.varying([unit.statements], _torch_names(rows, names, read))
    for function in compiled:
        found.constructs(function, rows, compiled_by(function, rows, names))
    return found.places()


def called_places(
    function: ast.stmt, rows: Rows, names: Mapping[str, str], read: Set[str], span: SpanOf, why: str
) -> tuple[CodePlace, ...]:
    """What only matters in a graph in a function that is compiled with one that calls it, for the reason `why`."""
    found = _Collector(span)
    found.varying([[function]], _torch_names(rows, names, read), why)
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

    @functools.cache
    def shifts() -> dict[ast.AST, int]:
        statements = ((one, unit.shift) for unit, _ in units for one in unit.statements)
        return {node: shift for one, shift in statements for node in every_node(one)}

    found = _Collector(span=lambda node: span(node, shifts()[node]))
    rows = {node: use for _, own in units for node, use in own.items()}
    found.varying([unit.statements for unit, _ in units], _torch_names(rows, names, bound))
    return found.places()


def _torch_names(rows: Rows, names: Mapping[str, str], read: Set[str]) -> TorchNames:
    """The uses of torch that are sure. Where NumPy is at work, evidence for a tensor is evidence for an array too."""
    doubts_evidence = not _NUMPY.isdisjoint(read)

    def api_of(node: ast.AST) -> str:
        use = rows.get(node)
        if use is None or use.library or use.confidence is Confidence.GUESSED:
            return ""
        return "" if doubts_evidence and use.confidence in (Confidence.INFERRED, Confidence.SEEN) else use.api

    @functools.cache
    def imported() -> dict[str, str]:
        named = ((node.id, api_of(node)) for node in rows if isinstance(node, ast.Name))
        return {name: api for name, api in named if api and not api.startswith("torch.Tensor.")}

    return TorchNames(api_of, imported, names, lambda node: compiled_by(node, rows, names))


def _may_vary(unit: Unit, rows: Rows, read: Set[str]) -> bool:
    uses = rows.values()
    has_tensors = any(use.form is Form.ANNOTATION for use in uses)
    return may_vary([use.api for use in uses], PYTHON.intersection(read), has_tensors, unit.statements)


def _collates(unit: Unit) -> bool:
    return any(isinstance(one, ast.FunctionDef) and COLLATE in one.name for one in unit.statements)


class _Collector:
    """What a walk noted."""

    def __init__(self, span: SpanOf) -> None:
        self._span = span
        self._found: list[CodePlace] = []

    def varying(self, groups: Iterable[Sequence[ast.stmt]], names: TorchNames, compiled: str = "") -> None:
        """Note where shapes depend on data; of a construct in a graph the cause is why it is compiled."""
        for place in varying_places(groups, names, compiled):
            topic, by = Topic(place.topic), Selection(place.by)
            is_graph = topic is Topic.GRAPH
            cause = "" if is_graph else place.cause
            self._add(topic, place.node, place.operator, cause, is_graph and place.cause == JIT, by)

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
