"""Which files of a project have rows under a name, without going through all files for each question."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

_Row = TypeVar("_Row")


class RowsByName(Generic[_Row]):
    """Rows of files, found by name. `rows_of` gives those of one file, each with its name; of a file that is gone,
    none. A file that changed is read again when something is asked for."""

    def __init__(self, rows_of: Callable[[str], Iterable[tuple[str, _Row]]]) -> None:
        self._rows_of = rows_of
        self._pending: dict[str, None] = {}
        self._found: dict[str, dict[str, list[_Row]]] = {}  # name -> path -> rows
        self._names: dict[str, frozenset[str]] = {}  # path -> names

    def changed(self, path: str) -> None:
        """Say that a file was added, has another text, or is gone."""
        self._pending[path] = None

    def of(self, name: str) -> list[_Row]:
        """The rows under a name, in the order of the paths."""
        while self._pending:
            self._read(next(iter(self._pending)))
        found = self._found.get(name, {})
        return [row for path in sorted(found) for row in found[path]]

    def _read(self, path: str) -> None:
        for name in self._names.pop(path, ()):
            del self._found[name][path]
        names = set()
        for name, row in self._rows_of(path):
            self._found.setdefault(name, {}).setdefault(path, []).append(row)
            names.add(name)
        self._names[path] = frozenset(names)
        self._pending.pop(path, None)
