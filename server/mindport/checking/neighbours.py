"""The files of a project that the files of a run import, directly or not: a class that is defined
elsewhere says what its instances are, also when only one file is checked."""

from __future__ import annotations

import os
import posixpath
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from mindport.source.search_path import added_folders
from mindport.source.text import SourceText, read_source

MOST_FILES = 3000  # an import of half a monorepo must not make checking one file slow

_IMPORT = re.compile(
    r"(?:^|[;:])[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import\b([^#;\r\n]*)|import[ \t]+([\w., \t\\]+))",
    re.MULTILINE,
)
_WORD = re.compile(r"\w+")
_WORD_IMPORT = re.compile(r"import")
_LINE_END = re.compile(r"[\r\n]")
# Asked for in nearly every file, and never part of the user's project.
_FOREIGN = frozenset(("torch", "mindspore"))


class Imports(msgspec.Struct, frozen=True):
    """What some texts import from their project: the texts of the files that are not among them, and for
    every file those that its imports may lead to (some too many, where that cannot be told from the text
    alone)."""

    found: dict[str, str]
    edges: dict[str, frozenset[str]]


def follow_imports(
    texts: Mapping[str, str], root: str, max_bytes: int, most_characters: int | None = None
) -> Imports:
    """Follow the imports of `texts` (full path -> text), directly or not. Files that cannot be read are left
    out: nobody asked for them. `most_characters` bounds the texts together; the nearest come first."""
    finder = _Finder(root)
    found: dict[str, str] = {}
    edges: dict[str, frozenset[str]] = {}
    waiting = deque(texts.items())
    left = most_characters
    while waiting:
        path, text = waiting.popleft()
        imports = finder.imports_of(path, text)
        edges[path] = frozenset(imports | finder.packages_of(path))
        for candidate in sorted(imports):
            if candidate in texts or candidate in found or len(found) >= MOST_FILES or left == 0:
                continue
            source = read_source(candidate, max_bytes)
            if not isinstance(source, SourceText):
                continue
            if left is not None:
                left = max(0, left - len(source.text))
                if not left:
                    continue
            found[candidate] = source.text
            waiting.append((candidate, source.text))
    return Imports(found, edges)


def imported_files(
    texts: Mapping[str, str], root: str, max_bytes: int, most_characters: int | None = None
) -> dict[str, str]:
    """Full path -> text of all files that `texts` import from the project and that are not among them."""
    return follow_imports(texts, root, max_bytes, most_characters).found


def import_edges(texts: Mapping[str, str], root: str) -> dict[str, set[str]]:
    """Full path -> the files that the imports of each of the texts may lead to."""
    finder = _Finder(root)
    return {path: finder.imports_of(path, text) for path, text in texts.items()}


def imported_names(text: str) -> set[str]:
    """The first names of the modules that a text imports, but for those beside the file."""
    found: set[str] = set()
    for match in _imports(text):
        dots, module, _, plain = match.groups()
        if plain is not None:
            found |= {
                part.replace("\\", " ").strip().split(".")[0].split(" ")[0] for part in plain.split(",")
            }
        elif not dots:
            found.add(module.partition(".")[0])
    return found - {""}


class _Finder:
    def __init__(self, root: str) -> None:
        self._root = root
        self._listings: dict[str, frozenset[str]] = {}
        self._package_roots: dict[str, str] = {}
        self._bases: dict[tuple[str, str], tuple[str, ...]] = {}

    def imports_of(self, path: str, text: str) -> set[str]:
        """The files that the import statements of a text may lead to."""
        found: set[str] = set()
        folder = posixpath.dirname(path)
        added = tuple(added_folders(text, folder, self._root))
        for match in _imports(text):
            dots, module, names, plain = match.groups()
            if plain is not None:
                for part in (_whole(text, plain, match.end()) if "\\" in plain else plain).split(","):
                    words = part.replace("\\", " ").split()
                    if words:
                        self._absolute(folder, words[0], (), found, added)
                continue
            words = _WORD.findall(_whole(text, names, match.end()))
            if dots:
                base = folder
                for _ in range(len(dots) - 1):
                    base = posixpath.dirname(base)
                self._at(base, module, words, found)
            else:
                self._absolute(folder, module, words, found, added)
        found.discard(path)
        return found

    def packages_of(self, path: str) -> set[str]:
        """The packages that a file is in: by attribute, each leads to all that is below it."""
        found: set[str] = set()
        folder = posixpath.dirname(path)
        while "__init__.py" in self._listing(folder) and folder != posixpath.dirname(folder):
            found.add(f"{folder}/__init__.py")
            folder = posixpath.dirname(folder)
        found.discard(path)
        return found

    def _absolute(
        self, folder: str, module: str, names: Sequence[str], found: set[str], added: tuple[str, ...]
    ) -> None:
        first = module.partition(".")[0]
        if not first or first in _FOREIGN:
            return
        key = (folder, first)
        bases = self._bases.get(key)
        if bases is None:
            package_root = self._package_root(folder)
            places = (folder, package_root, self._root, f"{self._root}/src", posixpath.dirname(package_root))
            bases = self._bases[key] = tuple(
                base
                for base in dict.fromkeys(places)
                if first in self._listing(base) or f"{first}.py" in self._listing(base)
            )
        for base in bases or added:
            self._at(base, module, names, found)

    def _at(self, base: str, module: str, names: Sequence[str], found: set[str]) -> None:
        """Add the files of a dotted module below `base`, with the packages on the way and submodules among
        `names`."""
        place = base
        for part in module.split(".") if module else ():
            listing = self._listing(place)
            if f"{part}.py" in listing:
                found.add(f"{place}/{part}.py")
            if part not in listing:
                return
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


def _imports(text: str) -> Iterator[re.Match[str]]:
    """The import statements of a text. Looks for the word first: the whole pattern tried at every line took
    sixteen times as long."""
    seen = -1
    for word in _WORD_IMPORT.finditer(text):
        start = max(text.rfind("\n", 0, word.start()), text.rfind("\r", 0, word.start())) + 1
        if start > seen:
            seen = start
            end = _LINE_END.search(text, word.end())
            yield from _IMPORT.finditer(text, start, len(text) if end is None else end.start())


def _whole(text: str, names: str, end: int) -> str:
    """The names of an import statement that goes on behind the end of its line."""
    if "(" in names and ")" not in names:
        close = text.find(")", end)
        return names + text[end : close if close >= 0 else end]
    while names.rstrip(" \t").endswith("\\"):
        following = re.compile(r"(?:\r\n|\r|\n)?([^#\r\n]*)").match(text, end)
        if following is None or following.end() == end:
            break
        names, end = names.rstrip(" \t")[:-1] + " " + following[1], following.end()
    return names
