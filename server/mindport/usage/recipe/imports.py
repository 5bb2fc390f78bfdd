"""Which files of a project import which."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from mindport.usage import python_model
from mindport.usage.modules import ModuleFinder


class Importing(Protocol):
    """A file with its syntax."""

    path: str
    nodes: tuple[ast.AST, ...]


class ScriptModules(ModuleFinder):
    """Where imports lead in a project of scripts: also to modules in a folder further out, or that only one folder has,
    which some other script may have put on Python's path."""

    def find(self, importer: str, dotted: str, level: int) -> str | None:
        found = super().find(importer, dotted, level)
        root = dotted.partition(".")[0]
        if found is not None or level or not root or root == "torch" or python_model.is_standard(root):
            return found
        folder = importer
        while folder := posixpath.dirname(folder):
            if (found := self.at(folder, dotted)) is not None:
                return found
        stem = dotted.replace(".", "/")
        anywhere = [path for path in self._texts if path.endswith((f"/{stem}.py", f"/{stem}/__init__.py"))]
        return anywhere[0] if len(anywhere) == 1 else None

    def _bases(self, folder: str, dotted: str) -> list[str]:
        """A module of a package does not see those beside it, unless it is run as a script."""
        bases = super()._bases(folder, dotted)
        is_package = posixpath.join(folder, "__init__.py") in self._texts
        return [*(one for one in bases if one != folder), folder] if is_package and bases else bases


def import_edges(files: Sequence[Importing], finder: ModuleFinder) -> dict[str, set[str]]:
    """Path -> the paths of the files that it imports, wherever in it, among `files`."""
    paths = {file.path for file in files}
    return {file.path: _imports(file.path, file.nodes, finder) & paths for file in files}


def offered(files: Sequence[Importing], starts: Collection[str], finder: ModuleFinder) -> set[str]:
    """The paths of the files whose names some files have all of, by `from models import *`, which others may hand on:
    a script that is edited to choose one of them."""
    paths = {file.path for file in files}
    edges = {
        file.path: _imports(file.path, (node for node in file.nodes if _takes_all(node)), finder) & paths
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


def _imports(path: str, nodes: Iterable[ast.AST], finder: ModuleFinder) -> set[str]:
    found: set[str | None] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {finder.find(path, alias.name, 0) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            found.add(finder.find(path, module, node.level))
            found |= {
                finder.find(path, f"{module}.{alias.name}".lstrip("."), node.level) for alias in node.names
            }
    return {one for one in found if one is not None} - {path}
