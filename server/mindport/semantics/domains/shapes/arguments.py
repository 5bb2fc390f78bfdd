"""What a call passes, and how a place is noted."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from mindport.semantics.domains.shapes.operators import ArgumentPlace
from mindport.semantics.domains.shapes.values import OF_A_TENSOR, Known, known, parts
from mindport.semantics.flow.iteration import any_item
from mindport.semantics.flow.values import Arguments, Ref

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

Topic = Literal[
    "result", "mask", "slice", "count", "index", "segments", "axis", "size", "branches", "batch", "last batch", "graph"
]  # fmt: skip
Selection = Literal["none", "values", "mask", "fitting"]
_LONGEST_TEXT = 40


class ShapePlace(NamedTuple):
    """A place where a shape comes to depend on data: what it is about, its operator, its cause, and what elements are
    selected by."""

    topic: Topic
    node: ast.AST
    operator: str
    cause: str = ""
    by: Selection = "none"


class TorchNames(NamedTuple):
    """What the code does with torch: the name behind a node, if it is sure, the names behind those of the file, what
    these mean in MindSpore, and why a function becomes a graph (empty where it does not)."""

    api_of: Callable[[ast.AST], str]
    imported: Callable[[], Mapping[str, str]]
    modules: Mapping[str, str]
    compiled_by: Callable[[ast.AST], str]


class ShapePlaces:
    """Collects places."""

    def __init__(self) -> None:
        self._found: dict[tuple[Topic, ast.AST], ShapePlace] = {}

    @property
    def places(self) -> tuple[ShapePlace, ...]:
        """Those that were noted."""
        return tuple(self._found.values())

    def note(
        self, topic: Topic, node: ast.AST | None, operator: str, cause: str = "", by: Selection = "none"
    ) -> None:
        """Write down a place, once. That something fits holds only if it does on each path."""
        if node is None:
            return
        before = self._found.setdefault((topic, node), ShapePlace(topic, node, operator, cause, by))
        if before.by == "fitting" != by:
            self._found[topic, node] = before._replace(by=by)

    def text(self, node: ast.AST | None) -> str:
        """The code, short enough for a message."""
        text = "" if node is None else ast.unparse(node)
        return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 3]}..."


class Passed:
    """The arguments of one call. `all` are those by position, a receiver first."""

    def __init__(self, m: Machine, passed: Arguments, node: ast.Call | None, is_method: bool) -> None:
        self._machine = m
        self.node = node
        self.all = list(passed.around or passed.positional)
        self.keywords = passed.keywords
        self.is_open = passed.is_open
        self.is_method = is_method

    @property
    def first(self) -> Known:
        """The first argument."""
        return known(self.all[0] if self.all else None)

    @property
    def values(self) -> list[Known]:
        """All arguments."""
        return [known(one) for one in (*self.all, *self.keywords.values())]

    def of(self, parameter: ArgumentPlace) -> Any:
        """The value that reaches a parameter; None where it is left out."""
        if parameter.name in self.keywords:
            return self.keywords[parameter.name]
        return self.all[parameter.place] if parameter.place < len(self.all) else None

    def parts(self, value: Any) -> list[Known]:
        """The items of an argument."""
        found = parts(self._machine.heap, value)
        is_object = found is None and isinstance(value, Ref)
        return [known(any_item(self._machine, value))] if is_object else found or []

    def cause_of_items(self, value: Any) -> str:
        """Why one of the numbers in a sequence varies."""
        return cause_of_numbers(self.parts(value))

    def cause_of_size(self, value: Any) -> str:
        """Why a size or number varies; empty where it does not."""
        found = known(value)
        if found.is_tensor:
            return OF_A_TENSOR
        return found.number_cause or self.cause_of_items(value)


def cause_of_numbers(values: list[Known]) -> str:
    """Why one of several numbers varies; empty where none does."""
    return next((value.number_cause for value in values if value.number_cause), "")
