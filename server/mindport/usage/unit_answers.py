"""What one look at each unit of a file tells, kept while the unit stays as it is: a key costs the unit that it is typed
into."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from mindport.source.units import Unit, UnitKind

Answer = TypeVar("Answer")


class UnitAnswers(Generic[Answer]):
    """The answers that `read` gives of the units of files."""

    def __init__(self, read: Callable[[Iterable[ast.AST]], Answer]) -> None:
        self._read = read
        # The statements are kept with their answer: an identity is good only while the object lives.
        self._known: dict[str, dict[int, tuple[list[ast.stmt], Answer]]] = {}

    def of(self, path: str, units: Iterable[Unit]) -> list[Answer]:
        """The answers for the units that a file has now, in their order."""
        known = self._known.get(path, {})
        present = {}
        for unit in units:
            key = id(unit.statements)
            present[key] = known.get(key) or (unit.statements, self._read(_trees(unit)))
        self._known[path] = present
        return [answer for _, answer in present.values()]

    def forget(self, path: str) -> None:
        """A file is gone."""
        self._known.pop(path, None)


def _trees(unit: Unit) -> Iterable[ast.AST]:
    """What stands in a unit; the body of a class is in units of its own."""
    for statement in unit.statements:
        if unit.kind is UnitKind.CLASS and isinstance(statement, ast.ClassDef):
            yield from (*statement.decorator_list, *statement.bases, *statement.keywords)
        else:
            yield statement
