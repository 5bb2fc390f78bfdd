"""The files of a project that use the checked ones, where that tells what a gradient of a gradient goes through: a
critic says nothing of the penalty that is taken of it elsewhere."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Mapping

from mindport.checking.neighbours import import_edges
from mindport.checking.small_project import small_project
from mindport.config.settings import Settings
from mindport.source.discovery import full_path
from mindport.source.text import SourceText, read_source
from mindport.usage.regions.program import may_differentiate_twice

# Beside the checked files; about as much as is read in a tenth of a second.
MOST_CHARACTERS = 3_000_000


def files_that_use(texts: Mapping[str, str], root: str, settings: Settings) -> dict[str, str]:
    """Full path -> text of the files that import one of `texts` (full path -> text), directly or not, where one of
    them or of what they import may take a gradient of a gradient. Of a large project only the folders around are read.
    """
    others: dict[str, str] = {}
    for path in _around(texts, root, settings):
        source = read_source(path, settings.max_file_bytes)
        if isinstance(source, SourceText):
            others[full_path(path)] = source.text
    every = {**others, **texts}
    signs = {path for path, text in every.items() if may_differentiate_twice(text)}
    if not others or not signs:
        return {}
    edges = import_edges(every, root)
    backwards: dict[str, set[str]] = {}
    for path, targets in edges.items():
        for target in targets:
            backwards.setdefault(target, set()).add(path)
    users = _reached(texts.keys(), backwards)
    is_near = not signs.isdisjoint(_reached(users, edges))
    return {path: others[path] for path in sorted(users - texts.keys())} if is_near else {}


def _around(texts: Collection[str], root: str, settings: Settings) -> list[str]:
    """The other files of the project, or of the widest folder around the given ones that is small enough."""
    within = posixpath.commonpath([posixpath.dirname(path) for path in texts])
    folders = [within]
    while folders[-1] != root and folders[-1] != posixpath.dirname(folders[-1]):
        folders.append(posixpath.dirname(folders[-1]))
    for folder in reversed(folders if folders[-1] == root else [within]):
        found = small_project(folder, settings, lambda one: full_path(one) not in texts, MOST_CHARACTERS)
        if found:
            return found
    return []


def _reached(start: Iterable[str], edges: Mapping[str, Collection[str]]) -> set[str]:
    """Everything that edges lead to, the start included."""
    found = set(start)
    waiting = list(found)
    while waiting:
        for target in edges.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found
