"""Which files of a project import which."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Sequence, Set
from typing import Protocol


class Importing(Protocol):
    """A file with its syntax."""

    path: str
    nodes: tuple[ast.AST, ...]


def import_edges(files: Sequence[Importing]) -> dict[str, set[str]]:
    """Path -> the paths of the files that it imports, wherever in it, among `files`."""
    paths = {file.path for file in files}
    return {file.path: _imports(file.path, file.nodes, paths) for file in files}


def offered(files: Sequence[Importing], starts: Collection[str]) -> set[str]:
    """The paths of the files whose names some files have all of, by `from models import *`, which others may hand on:
    a script that is edited to choose one of them."""
    paths = {file.path for file in files}
    edges = {
        file.path: _imports(file.path, (node for node in file.nodes if _takes_all(node)), paths)
        for file in files
    }
    found: set[str] = set()
    waiting = list(starts)
    while waiting:
        for path in edges[waiting.pop()] - found:
            found.add(path)
            waiting.append(path)
    return found


def _takes_all(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)


def _imports(path: str, nodes: Iterable[ast.AST], paths: Set[str]) -> set[str]:
    folder = path.split("/")[:-1]
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                found |= _files_of(alias.name.split("."), folder, paths)
        elif isinstance(node, ast.ImportFrom):
            base = folder[: len(folder) - node.level + 1] if node.level else None
            parts = node.module.split(".") if node.module else []
            if base is not None:
                found |= _absolute([*base, *parts], paths)
                for alias in node.names:
                    found |= _absolute([*base, *parts, alias.name], paths)
            else:
                found |= _files_of(parts, folder, paths)
                for alias in node.names:
                    found |= _files_of([*parts, alias.name], folder, paths)
    return found - {path}


def _files_of(parts: list[str], folder: list[str], paths: Set[str]) -> set[str]:
    """Packages are found from the root of the project or from `src`, modules beside a script from its folder, others
    where only one folder has them, which a script may have put on Python's path."""
    for start in ([], ["src"], *(folder[:depth] for depth in range(len(folder), 0, -1))):
        found = _absolute([*start, *parts], paths)
        if found:
            return found
    stem = "/".join(parts)
    ends = (f"/{stem}.py", f"/{stem}/__init__.py")
    anywhere = {path for path in paths if path.endswith(ends)} if stem else set()
    return anywhere if len(anywhere) == 1 else set()


def _absolute(parts: list[str], paths: Set[str]) -> set[str]:
    if not parts:
        return set()
    stem = "/".join(parts)
    return {path for path in (f"{stem}.py", f"{stem}/__init__.py") if path in paths}
