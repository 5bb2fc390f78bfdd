"""What a look at each unit of a project tells of its functions by their names, kept while units and files stay as they
are: no type says whose a method is that is called on an unknown value."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

from mindport.usage.files import FileState
from mindport.usage.unit_answers import UnitAnswers

Fact = TypeVar("Fact")


class FunctionNames(Generic[Fact]):
    """What `read` finds in the units of those files of a project that have a sign of it; `conclude` makes names of it.
    `state` reads a file."""

    def __init__(
        self,
        texts: Mapping[str, str],
        state: Callable[[str], FileState],
        has_sign: Callable[[str], bool],
        read: Callable[[Iterable[ast.AST]], frozenset[Fact]],
        conclude: Callable[[frozenset[Fact]], frozenset[str]],
    ) -> None:
        self._texts = texts
        self._state = state
        self._has_sign = has_sign
        self._conclude = conclude
        self._files: dict[str, frozenset[Fact]] = {}
        self._units = UnitAnswers(read)
        self._changed: set[str] = set()  # files whose facts are those of an earlier text
        self._names: frozenset[str] | None = None

    def note(self, path: str) -> None:
        """Take notice that a file has a new text, or is gone."""
        if path in self._files or self._has_sign(self._texts.get(path, "")):
            self._changed.add(path)
        if path not in self._texts:
            self._units.forget(path)

    def names(self) -> frozenset[str]:
        """The names of these functions; concluded anew only where files tell something new."""
        before = {path: self._files.pop(path, frozenset[Fact]()) for path in self._changed}
        self._changed.clear()
        if self._names is None:
            before = dict.fromkeys(self._texts, frozenset[Fact]())
        has_news = [self._facts(path) != facts for path, facts in before.items()]
        if self._names is None or any(has_news):
            self._names = self._conclude(frozenset[Fact]().union(*self._files.values()))
        return self._names

    def _facts(self, path: str) -> frozenset[Fact]:
        if not self._has_sign(self._texts.get(path, "")):
            return frozenset()
        known = self._files.get(path)
        if known is None:
            found = self._units.of(path, self._state(path).module.units)
            known = self._files[path] = frozenset[Fact]().union(*found)
        return known
