"""The places of functions that only prepare data: each is one place, and nothing else in it matters to the network."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence, Set

from mindport.model.span import Span
from mindport.model.verdict import Confidence
from mindport.source.units import UnitKind
from mindport.usage.api_use import ApiUse, Form
from mindport.usage.files import FileState
from mindport.usage.places import CodePlace, Topic

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BATCHES = (Topic.BATCH, Topic.LAST_BATCH)  # what the network gets: these matter wherever they are
_DOUBTFUL = (Confidence.INFERRED, Confidence.SEEN, Confidence.GUESSED)
_FORMS = (Form.CALL, Form.METHOD)


def outside_data(places: Iterable[CodePlace], names: Set[str], state: FileState) -> Iterator[CodePlace]:
    """The places that are not in functions that only prepare data."""
    lines = [(first, last) for _, _, first, last in _functions(names, state)]
    for place in places:
        if place.topic in _BATCHES or not any(first <= place.span.line <= last for first, last in lines):
            yield place


def data_places(uses: Sequence[ApiUse], names: Set[str], state: FileState) -> Iterator[CodePlace]:
    """One place for each function that prepares data with torch: its name, and what it calls."""
    for name, span, first, last in _functions(names, state):
        called = (use.api for use in uses if first <= use.span.line <= last and _counts(use))
        apis = list(dict.fromkeys(called))
        if apis:
            yield CodePlace(Topic.DATA, span, name, ",".join(apis))


def _counts(use: ApiUse) -> bool:
    """Whether a use is certainly a call of torch that NumPy or the like could stand for."""
    if use.form not in _FORMS or use.guarded or use.confidence in _DOUBTFUL:
        return False
    # What a Dataset inherits is the framework's own business.
    is_inherited = use.api.startswith("torch.utils.data.") and use.form is Form.METHOD
    return use.api.startswith(("torch.", "torchvision.")) and not is_inherited and ".__" not in use.api


def _functions(names: Set[str], state: FileState) -> Iterator[tuple[str, Span, int, int]]:
    """Qualified name, place of the name, first and last line of each data function."""
    for unit in state.module.units:
        for node in unit.statements:
            if isinstance(node, _FUNCTIONS):
                owner = f"{unit.owner}." if unit.kind is UnitKind.MEMBER else ""
                if f"{owner}{node.name}" in names:
                    yield _placed(f"{owner}{node.name}", node, unit.shift, state)
            elif isinstance(node, ast.ClassDef) and unit.kind is UnitKind.STATEMENT and node.name in names:
                for member in node.body:
                    if isinstance(member, _FUNCTIONS):
                        yield _placed(f"{node.name}.{member.name}", member, unit.shift, state)


def _placed(
    name: str, node: ast.FunctionDef | ast.AsyncFunctionDef, shift: int, state: FileState
) -> tuple[str, Span, int, int]:
    line = node.lineno + shift
    keyword = "async def " if isinstance(node, ast.AsyncFunctionDef) else "def "
    start = state.index.column_of_byte(line, node.col_offset) + len(keyword)
    span = Span(line, start, line, start + len(node.name))
    return name, span, line, (node.end_lineno or node.lineno) + shift
