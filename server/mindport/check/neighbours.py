"""The files of a project that the files of a run import, directly or not: a class that is defined
elsewhere says what its instances are, also when only one file is checked."""

from __future__ import annotations

import os
import posixpath
import re
import sys
from collections import deque
from collections.abc import Mapping

from mindport.source.text import SourceText, read_source

MOST_FILES = 3000  # an import of half a monorepo must not make checking one file slow

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\(?[^#\r\n]*)|import[ \t]+([\w., \t]+))",
    re.MULTILINE,
)
_WORD = re.compile(r"\w+")
# Never part of the user's project, and asked for in nearly every file.
_FOREIGN = frozenset((*sys.stdlib_module_names, "torch", "torchvision", "torchaudio", "numpy", "mindspore"))


def imported_files(
    texts: Mapping[str, str], root: str, max_bytes: int, most_characters: int | None = None
) -> dict[str, str]:
    """Full path -> text of all files that `texts` (full path -> text) import from the project and that are
    not among them. Files that cannot be read are left out: nobody asked for them. `most_characters` bounds
    the texts together; the nearest come first."""
    finder = _Finder(root)
    found: dict[str, str] = {}
    waiting = deque(texts.items())
    left = most_characters
    while waiting and len(found) < MOST_FILES:
        path, text = waiting.popleft()
        for candidate in sorted(finder.imports_of(path, text)):
            if candidate in texts or candidate in found:
                continue
            source = read_source(candidate, max_bytes)
            if not isinstance(source, SourceText):
                continue
            if left is not None:
                left -= len(source.text)
                if left < 0:
                    return found
            found[candidate] = source.text
            waiting.append((candidate, source.text))
    return found


class _Finder:
    def __init__(self, root: str) -> None:
        self._root = root
        self._listings: dict[str, frozenset[str]] = {}
        self._package_roots: dict[str, str] = {}

    def imports_of(self, path: str, text: str) -> set[str]:
        """The files that the import statements of a text may lead to."""
        found: set[str] = set()
        folder = posixpath.dirname(path)
        for match in _IMPORT.finditer(text):
            dots, module, names, plain = match.groups()
            if plain is not None:
                for part in plain.split(","):
                    words = part.split()
                    if words:
                        self._absolute(folder, words[0], (), found)
            elif dots:
                base = folder
                for _ in range(len(dots) - 1):
                    base = posixpath.dirname(base)
                self._at(base, module, _WORD.findall(names), found)
            else:
                self._absolute(folder, module, _WORD.findall(names), found)
        return found

    def _absolute(
        self, folder: str, module: str, names: list[str] | tuple[str, ...], found: set[str]
    ) -> None:
        first = module.partition(".")[0]
        if not first or first in _FOREIGN:
            return
        package_root = self._package_root(folder)
        for base in dict.fromkeys(
            (folder, package_root, self._root, f"{self._root}/src", posixpath.dirname(package_root))
        ):
            listing = self._listing(base)
            if (first in listing or f"{first}.py" in listing) and self._at(base, module, names, found):
                return

    def _at(self, base: str, module: str, names: list[str] | tuple[str, ...], found: set[str]) -> bool:
        """Add the files of a dotted module below `base`, with the packages on the way and submodules among
        `names`."""
        place = base
        for part in module.split(".") if module else ():
            listing = self._listing(place)
            if f"{part}.py" in listing and part not in listing:
                found.add(f"{place}/{part}.py")
                return True
            if part not in listing:
                return False
            place = f"{place}/{part}"
            if "__init__.py" in self._listing(place):
                found.add(f"{place}/__init__.py")
        listing = self._listing(place)
        if "__init__.py" in listing:
            found.add(f"{place}/__init__.py")
        for name in names:
            if f"{name}.py" in listing:
                found.add(f"{place}/{name}.py")
            elif name in listing and "__init__.py" in self._listing(f"{place}/{name}"):
                found.add(f"{place}/{name}/__init__.py")
        return True

    def _package_root(self, folder: str) -> str:
        """The folder that the package a folder belongs to lies in."""
        found = self._package_roots.get(folder)
        if found is None:
            parent = posixpath.dirname(folder)
            is_package = "__init__.py" in self._listing(folder) and parent != folder
            found = self._package_roots[folder] = self._package_root(parent) if is_package else folder
        return found

    def _listing(self, folder: str) -> frozenset[str]:
        found = self._listings.get(folder)
        if found is None:
            try:
                found = frozenset(os.listdir(folder))  # noqa: PTH208
            except OSError:
                found = frozenset()
            self._listings[folder] = found
        return found
