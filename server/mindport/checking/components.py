"""Splits a run into parts that know nothing of each other: files that no import joins. Each part is analysed,
kept and looked up by itself, in a process of its own where that pays."""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Iterator

from mindport.checking.analysis import Sources, is_config
from mindport.checking.configured_names import looks_names_up
from mindport.checking.joined_names import JoinedNames
from mindport.checking.neighbours import imported_names
from mindport.source.discovery import full_path
from mindport.source.text import SourceText


def components(sources: Sources) -> list[Sources]:
    """The parts, each with its own neighbours, in the order of their first files. A file that is no Python,
    or could not be read, is a part of its own."""
    python = {
        full_path(path)
        for path, source in sources.files
        if isinstance(source, SourceText) and not is_config(path)
    }
    known = python | sources.neighbours.keys()
    joined = JoinedNames()
    for path, targets in sources.edges.items():
        for target in targets:
            # An absent file joins nothing, but a package that was not read joins what is below it.
            if target in known or target.endswith("/__init__.py"):
                joined.join(path, target)
    for path, target in _perhaps_imported(sources, python):
        joined.join(path, target)
    parts: dict[str, Sources] = {}
    files: dict[str, list[tuple[str, SourceText]]] = {}
    singles: list[tuple[int, Sources]] = []
    first: dict[str, int] = {}
    for index, (path, source) in enumerate(sources.files):
        full = full_path(path)
        if isinstance(source, SourceText) and full in python:
            name = joined.root(full)
            files.setdefault(name, []).append((path, source))
            first.setdefault(name, index)
        else:
            singles.append((index, Sources(((path, source),), {})))
    neighbours: dict[str, dict[str, str]] = {}
    for path, text in sources.neighbours.items():
        neighbours.setdefault(joined.root(path), {})[path] = text
    for name, members in files.items():
        looks_up = any(looks_names_up(source.text) for _, source in members)
        configured = sources.configured if looks_up else frozenset[str]()
        near = neighbours.get(name, {})
        own = {*near, *(full_path(path) for path, _ in members)}
        seen = {path: one for path, one in sources.seen.items() if path in own}
        parts[name] = Sources(tuple(members), near, configured=configured, seen=seen, looks_up=looks_up)
    ordered = [(first[name], part) for name, part in parts.items()] + singles
    return [part for _, part in sorted(ordered, key=lambda pair: pair[0])]


_QUOTED = re.compile(r"""["']([^"'\s]+)["']""")


def _perhaps_imported(sources: Sources, python: set[str]) -> Iterator[tuple[str, str]]:
    """A file that changes the search path, or imports what a string names, each with those that it may import, though
    only a run finds which."""
    texts = {full_path(path): source.text for path, source in sources.files if isinstance(source, SourceText)}
    changing = {path: text for path, text in texts.items() if "sys.path" in text and path in python}
    importing = {path: text for path, text in texts.items() if "import_module" in text and path in python}
    named: dict[str, list[str]] = {}
    for path in sorted(python) if changing or importing else ():
        for name in _importable_names(path):
            named.setdefault(name, []).append(path)
    for path, text in importing.items():
        for name in {found[1].strip(".").rpartition(".")[2] for found in _QUOTED.finditer(text)}:
            yield from ((path, target) for target in named.get(name, ()) if target != path)
    for path, text in changing.items():
        known = {name for target in sources.edges.get(path, ()) for name in _importable_names(target)}
        for name in imported_names(text) - known - sys.stdlib_module_names:
            yield from ((path, target) for target in named.get(name, ()) if target != path)


def _importable_names(path: str) -> tuple[str, str]:
    """What a file can be imported as or below, from the folder above its own at most."""
    return posixpath.basename(posixpath.dirname(path)), posixpath.basename(path).removesuffix(".py")
