"""Which parts of a project a run judges: all of them, one share of several, or those that a change can reach.

A part is never divided, since what is found in one of its files may depend on each of the others. So the findings of a
chosen part are those that a run over everything has for it."""

from __future__ import annotations

import heapq
import os
import posixpath
from collections.abc import Collection, Sequence
from typing import Protocol

import msgspec

from mindport.checking.analysis import Sources
from mindport.checking.git_status import changed_since
from mindport.config.settings import Settings
from mindport.source.discovery import full_path
from mindport.source.text import YAML_SUFFIXES, SourceText

_FOR_ALL = ("pyproject.toml", "setup.py", "setup.cfg", "mindport-baseline.json", "mindport-evidence.json")
_CONFIGURATION = (*YAML_SUFFIXES, ".json")


class PartChoice(Protocol):
    """Which of the parts of a run are judged."""

    def of(self, parts: Sequence[Sources]) -> frozenset[int]:
        """The places of the chosen parts."""
        ...


class Share(msgspec.Struct, frozen=True):
    """The `number`th of `count` shares, from 1 on, each with about the same amount of text. Which parts are in it
    depends on their names and sizes alone, so that runs on several machines have all parts between them."""

    number: int
    count: int

    def of(self, parts: Sequence[Sources]) -> frozenset[int]:
        """The places of the parts in this share: the largest first, each to the share that has least so far."""
        return self.among([size_of(part) for part in parts], [part.files[0][0] for part in parts])

    def among(self, sizes: Sequence[int], names: Sequence[str]) -> frozenset[int]:
        """The places of what is in this share, of things with these sizes and names."""
        shares = [(0, number) for number in range(1, self.count + 1)]
        chosen = set()
        for index in sorted(range(len(sizes)), key=lambda one: (-sizes[one], names[one])):
            size, number = heapq.heappop(shares)
            heapq.heappush(shares, (size + sizes[index] + 1, number))
            if number == self.number:
                chosen.add(index)
        return frozenset(chosen)


class ReachedParts(msgspec.Struct, frozen=True):
    """What the change of some files can reach: the parts that they are in. `changed` are full paths; what was removed
    is known by its name only, so it reaches all that says that name."""

    changed: frozenset[str]
    for_all: bool

    @classmethod
    def since(cls, revision: str, settings: Settings, root: str) -> ReachedParts:
        """What changed since a revision, saved but not committed changes included. Raises GitFailure."""
        changed = changed_since(root, revision)
        own = {full_path(os.path.join(root, name)) for name in (*settings.evidence, settings.trace_file)}  # noqa: PTH118
        names = {posixpath.basename(path) for path in changed}
        for_all = (
            not own.isdisjoint(changed)
            or not names.isdisjoint(_FOR_ALL)
            or any(name.endswith(".txt") and "require" in name for name in names)
        )
        return cls(changed, for_all)

    def of(self, parts: Sequence[Sources]) -> frozenset[int]:
        """The places of the parts that a changed file is in, or is read for."""
        if self.for_all:
            return frozenset(range(len(parts)))
        gone = {_module(path) for path in self.changed if path.endswith(".py") and not os.path.exists(path)}  # noqa: PTH110
        configures = any(path.endswith(_CONFIGURATION) for path in self.changed)
        return frozenset(
            index
            for index, part in enumerate(parts)
            if (configures and part.looks_up)
            or any(full_path(path) in self.changed for path, _ in part.files)
            or not self.changed.isdisjoint(part.neighbours)
            or (gone and _says_any(part, gone))
        )


def size_of(part: Sources) -> int:
    """How many characters there are in a part."""
    texts = [source.text for _, source in part.files if isinstance(source, SourceText)]
    return sum(map(len, texts)) + sum(map(len, part.neighbours.values()))


def _module(path: str) -> str:
    """The name by which a file is imported."""
    folder, name = posixpath.split(path)
    return posixpath.basename(folder) if name == "__init__.py" else name.removesuffix(".py")


def _says_any(part: Sources, names: Collection[str]) -> bool:
    return any(
        name in source.text for _, source in part.files if isinstance(source, SourceText) for name in names
    )
