"""Sets of names that are joined one by one: files that imports join, folders whose files have one module."""

from __future__ import annotations


class JoinedNames:
    """Sets of names that grow together."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def root(self, name: str) -> str:
        """The name that stands for the set."""
        path = []
        while self._parent.get(name, name) != name:
            path.append(name)
            name = self._parent[name]
        for passed in path:
            self._parent[passed] = name
        return name

    def join(self, one: str, other: str) -> None:
        """Make one set of two."""
        self._parent[self.root(one)] = self.root(other)
