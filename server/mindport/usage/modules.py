"""Finds the file of a project that an import names."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from mindport.source.search_path import added_folders
from mindport.usage import python_model
from mindport.usage.api_use import ImportBinding


class ModuleFinder:
    """Where imports lead, among the files of `texts`; forget it when a file is added or removed."""

    def __init__(self, root: str, texts: Mapping[str, str]) -> None:
        self._root = root
        self._texts = texts
        self._found: dict[tuple[str, str, int], str | None] = {}
        self._folders = frozenset(posixpath.dirname(path) for path in texts)

    def find(self, importer: str, dotted: str, level: int) -> str | None:
        """The path of the file that an import statement in `importer` names; None if it is none of the project."""
        key = (posixpath.dirname(importer), dotted, level)
        if key not in self._found:
            self._found[key] = self._search(*key)
        found = self._found[key]
        if found == importer and not level:
            found = self._other_than(importer, dotted) or found
        return self._on_added_path(importer, dotted) if found is None and not level else found

    def find_module(self, importer: str, module: str) -> str | None:
        """The same for a module as a statement writes it, with the dots of a relative one."""
        dotted = module.lstrip(".")
        return self.find(importer, dotted, len(module) - len(dotted))

    def find_all(self, importer: str, binding: ImportBinding) -> Iterator[tuple[str, int, str]]:
        """The files that what an import binds may come from, the module and a submodule of the bound name: the dotted
        name and the level that lead to each, and its path."""
        dotted = binding.module.lstrip(".")
        level = len(binding.module) - len(dotted)
        for name in dict.fromkeys((dotted, f"{dotted}.{binding.name}".strip("."))):
            path = self.find(importer, name, level)
            if path is not None:
                yield name, level, path

    def is_folder(self, importer: str, dotted: str) -> bool:
        """Whether an absolute import names a folder with modules of the project, which needs no `__init__.py`."""
        places = (
            posixpath.join(base, *dotted.split("."))
            for base in self._bases(posixpath.dirname(importer), dotted)
        )
        return any(place in self._folders for place in places)

    def _search(self, folder: str, dotted: str, level: int) -> str | None:
        if level:
            base = folder
            for _ in range(level - 1):
                base = posixpath.dirname(base)
            return self.at(base, dotted)
        return next((found for base in self._bases(folder, dotted) if (found := self.at(base, dotted))), None)

    def _other_than(self, importer: str, dotted: str) -> str | None:
        """The file that an import names where the importer itself has that name: `utils/model.py` of a script in the
        folder above gets the package `model` beside `utils`."""
        places = (self.at(base, dotted) for base in self._bases(posixpath.dirname(importer), dotted))
        return next((found for found in places if found not in (None, importer)), None)

    def _bases(self, folder: str, dotted: str) -> list[str]:
        """The folders from which absolute imports of a file in `folder` may count, the likeliest first."""
        root = dotted.partition(".")[0]
        if root == "torch" or not dotted:
            return []
        package_root = folder
        while package_root and posixpath.join(package_root, "__init__.py") in self._texts:
            package_root = posixpath.dirname(package_root)
        candidates = [package_root, self._root, posixpath.join(self._root, "src")]
        if not python_model.is_standard(root):
            candidates.insert(0, folder)
            candidates.append(posixpath.dirname(package_root))
        return candidates

    def _on_added_path(self, importer: str, dotted: str) -> str | None:
        """The file of a module in a folder that the importer adds to the search path."""
        root = dotted.partition(".")[0]
        if root and root != "torch" and not python_model.is_standard(root):
            for folder in added_folders(
                self._texts.get(importer, ""), posixpath.dirname(importer), self._root
            ):
                found = self.at(folder, dotted)
                if found is not None:
                    return found
        return None

    def at(self, base: str, dotted: str) -> str | None:
        """The file of the module `dotted` below a folder."""
        place = posixpath.join(base, *dotted.split(".")) if dotted else base
        for path in (f"{place}/__init__.py" if place else "__init__.py", f"{place}.py"):
            if path in self._texts:
                return path
        return None
