"""Where the helpers of several files go, and how each of them imports these: as the files of the project import
each other."""

from __future__ import annotations

import ast
import itertools
import keyword
import posixpath
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from mindport.rewrite.unused_imports import bindings_of
from mindport.source.lines import LineIndex
from mindport.source.notebook import NOTEBOOK_SUFFIX
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.usage.api_use import ImportBinding
from mindport.usage.project import Project


def package_of(path: str, known: Container[str], tops: Container[str] = ()) -> str:
    """The folder of the outermost package that the file at `path` is in; its own folder where that is no package.
    `known` are files that need not be looked for on the disk. What packages are installed from is none, though it may
    have an `__init__.py`: nobody imports them by its name. Neither are `tops`."""
    folder = posixpath.dirname(path)
    while is_package(folder, known):
        around = posixpath.dirname(folder)
        if not is_package(around, known) or around in tops or _is_installed_from(around):
            break
        folder = around
    return folder


class FoundImport(NamedTuple):
    """One file that imports another, with as many dots as `level`, by a name that counts from the folder `root`."""

    importer: str
    level: int
    root: str
    target: str
    in_function: bool = False


class HelperPlaces:
    """Finds, for the files of some projects, parts of one, the folder of the module that has their helpers."""

    def __init__(self, *projects: Project) -> None:
        self._root = projects[0].root
        self._known = frozenset(path for project in projects for path in project.paths())
        self._roots: defaultdict[str, set[str]] = defaultdict(
            set
        )  # file -> where its absolute imports count from
        # file -> the files that import it, and from where these imports count; None where they are relative
        self._importers: defaultdict[str, set[tuple[str, str | None]]] = defaultdict(set)
        # file -> the packages that it imports absolutely, and those of them that it has as soon as it is imported
        self._packages: defaultdict[str, set[str]] = defaultdict(set)
        self._packages_at_once: defaultdict[str, set[str]] = defaultdict(set)
        # From where those count that a file has as soon as it is imported.
        self._roots_at_once: defaultdict[str, set[str]] = defaultdict(set)
        self._importing: set[str] = set()  # files with relative imports
        self._imported: set[str] = set()  # files that others import so
        found = [
            one
            for project in projects
            for importer in sorted(project.paths())
            for one in found_imports(project, importer)
        ]
        self._tops = _tops(found)
        for one in found:
            self._note(one)
        self._search_paths = self._searched()

    def folders(self, path: str) -> Iterator[str]:
        """The folders whose module the file can import, from the one that suits it most: those of its package from the
        outermost inwards, the packages that a script imports, and folders of the search path around all these."""
        own = posixpath.dirname(path)
        folder, outermost = own, package_of(path, self._known, self._tops)
        chain = [folder]
        while folder != outermost:
            folder = posixpath.dirname(folder)
            chain.append(folder)
        if path not in self._imported and not is_package(own, self._known):
            yield from sorted(self._packages[path] - {own})
        yield from reversed(chain)
        for root in sorted(self._search_paths[path], key=len, reverse=True):
            is_around = outermost != root and _is_within(outermost, root)
            if is_around and _is_within(root, self._root) and not _is_installed_from(root):
                yield root

    def packages_beside(self, path: str) -> tuple[str, ...]:
        """The other packages that the file has as soon as it is imported, whose module it can import, too."""
        return tuple(sorted(self._packages_at_once[path] - {package_of(path, self._known, self._tops)}))

    def package(self, path: str, text: str, folder: str) -> str | None:
        """How the file imports from one of these folders: `.` or `..` for its own package, `models` or nothing for a
        folder on the search path; None where nothing tells that. `text` is the file's."""
        own = posixpath.dirname(path)
        if not _is_within(folder, package_of(path, self._known, self._tops)):
            return self._whole_name(path, folder)
        in_package = is_package(own, self._known)
        if path.endswith(NOTEBOOK_SUFFIX):  # which is run in its folder, and is never a part of a package
            return "" if own == folder and not in_package else self._whole_name(path, folder)
        says_so = is_script(text, does_anything=path not in self._imported)
        roots = {root for root in self._search_paths[path] if _is_within(own, root)}
        is_imported = path in self._imported or (in_package and not roots)
        if path in self._importing or path.endswith("/__init__.py") or (is_imported and not says_so):
            return "." * (1 + (0 if own == folder else posixpath.relpath(own, folder).count("/") + 1))
        if not roots and not in_package and (says_so or own == self._root):
            return "" if own == folder else None
        return self._whole_name(path, folder)

    def folders_up(self, path: str, text: str, folder: str) -> int | None:
        """How many folders a folder lies above the file's own that the file, run as a script, does not import from as
        `package` says. None for any other file: one that is no script, or that has its folder's surroundings on its
        search path already, since it cannot do without."""
        own = posixpath.dirname(path)
        package = self.package(path, text, folder)
        is_found = package is None or package.startswith(".") or (package == "" and own == folder)
        if (
            is_found
            or path in self._importing
            or not _is_within(own, folder)
            or path.endswith(NOTEBOOK_SUFFIX)
        ):
            return None
        runs_alone = self._roots_at_once[path] <= {own} and is_script(text, path not in self._importers)
        way = "" if own == folder else posixpath.relpath(own, folder)
        return len(way.split("/")) * bool(way) if runs_alone else None

    def _whole_name(self, path: str, folder: str) -> str | None:
        """The name of a folder for absolute imports of a file, which no other folder has; None where it is on none of
        the file's search paths, or where a folder on the way, `BigGAN-PyTorch`, cannot be named in an import."""
        roots = [root for root in self._search_paths[path] if _is_within(folder, root)]
        if not roots:
            return None
        way = posixpath.relpath(folder, min(roots, key=len))
        if way == ".":
            return ""
        return way.replace("/", ".") if all(_is_name(part) for part in way.split("/")) else None

    def _note(self, found: FoundImport) -> None:
        """Note from where the imports of a file count their modules, for it and for those that it imports."""
        importer, level, root, target, in_function = found
        if level:
            if root in self._tops:  # nothing that runs comes to it
                return
            if not in_function:  # with these alone, a file runs as a script until it calls that function
                self._importing.add(importer)
            self._imported.add(target)
            if importer != target:  # `from . import x` in an `__init__.py`
                self._importers[target].add((importer, None))
            return
        self._roots[importer].add(root)
        if not in_function:
            self._roots_at_once[importer].add(root)
        packages = (f"{folder}/__init__.py" for folder in _between(root, posixpath.dirname(target)))
        for imported in {target, *(one for one in packages if one in self._known)}:
            self._importers[imported].add((importer, root))
        if is_package(posixpath.dirname(target), self._known):
            package = package_of(target, self._known, self._tops)
            self._packages[importer].add(package)
            if not in_function:
                self._packages_at_once[importer].add(package)

    def _searched(self) -> dict[str, set[str]]:
        """File -> the folders that are on the search path whoever imports it."""
        found = {path: set(self._roots[path]) for path in self._known}
        has_changed = True
        while has_changed:
            has_changed = False
            for path, importers in self._importers.items():
                ways = [found[one] | ({root} if root is not None else set()) for one, root in importers]
                whole = self._roots[path].union(set.intersection(*ways))
                has_changed |= whole != found[path]
                found[path] = whole
        for paths in self._in_packages():
            imported = [found[path] for path in paths if path in self._importers]
            for path in paths:
                if imported and path not in self._importers and not path.endswith("/__init__.py"):
                    found[path] = found[path].union(set.intersection(*imported))
        return found

    def _in_packages(self) -> Iterator[list[str]]:
        """The files of each folder that is a package: one that nothing imports is meant to be imported as the
        others are."""
        for folder, paths in itertools.groupby(sorted(self._known, key=posixpath.dirname), posixpath.dirname):
            if is_package(folder, self._known):
                yield list(paths)


def _is_name(part: str) -> bool:
    return part.isidentifier() and not keyword.iskeyword(part)


def found_imports(project: Project, importer: str) -> Iterator[FoundImport]:
    """What a file imports of its project, and the folder that the name of each counts from."""
    bindings = [(one, False) for one in project.imports(importer)]
    bindings += [(one, True) for one in _in_functions(project.text(importer))]
    for binding, in_function in bindings:
        for name, level, target in project.finder.find_all(importer, binding):
            root = target.removesuffix(".py").removesuffix("/__init__")
            for _ in filter(None, name.split(".")):
                root = posixpath.dirname(root)
            yield FoundImport(importer, level, root, target, in_function)


def _in_functions(text: str) -> Iterator[ImportBinding]:
    """What functions import for themselves, as one that makes the network of a name does."""
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return
    lines = LineIndex(text)
    for node in every_node(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)) and node.col_offset:
            yield from bindings_of(node, lines)


def _tops(found: Iterable[FoundImport]) -> frozenset[str]:
    """Folders that absolute imports count from, where no import names them and what runs from there comes to no
    relative one that counts from them: an `__init__.py` at the top of a clone, whose folder is called as its user
    likes, makes no package of it."""
    absolute: defaultdict[str, set[str]] = defaultdict(set)
    relative: defaultdict[str, set[str]] = defaultdict(set)
    targets: defaultdict[str, set[str]] = defaultdict(set)
    named: set[str] = set()
    for one in found:
        (relative if one.level else absolute)[one.root].add(one.importer)
        targets[one.importer].add(one.target)
        if not one.level:
            named.update(_between(one.root, posixpath.dirname(one.target)))
    return frozenset(
        root
        for root, importers in absolute.items()
        if root not in named and relative[root].isdisjoint(_reached(importers, targets))
    )


def _reached(starts: Iterable[str], targets: Mapping[str, Iterable[str]]) -> set[str]:
    """Files, what they import, and so on."""
    found: set[str] = set()
    ahead = list(starts)
    while ahead:
        path = ahead.pop()
        if path not in found:
            found.add(path)
            ahead += targets.get(path, ())
    return found


def _between(root: str, folder: str) -> Iterator[str]:
    """The folders below `root` on the way to a folder, and itself."""
    while len(folder) > len(root) and _is_within(folder, root):
        yield folder
        folder = posixpath.dirname(folder)


def _is_within(folder: str, root: str) -> bool:
    return folder == root or folder.startswith(f"{root}/") or not root


def _is_installed_from(folder: str) -> bool:
    """Whether the packages in a folder are installed without what lies beside them."""
    return any(Path(folder, name).is_file() for name in ("setup.py", "setup.cfg", "pyproject.toml"))


def is_package(folder: str, known: Container[str]) -> bool:
    """Whether a folder has an `__init__.py`, among the files that are known or on the disk."""
    path = f"{folder}/__init__.py"
    return path in known or Path(path).is_file()


def is_script(text: str, does_anything: bool) -> bool:
    """Whether a file says what it does when it is run. Where `does_anything`, calls and loops say so; a file that
    others import has some for its importers: `matplotlib.use("Agg")`."""
    try:
        body = parse_tree(text).body
    except SYNTAX_ERRORS:
        return False
    return any(
        (isinstance(node, ast.If) and ast.unparse(node.test).startswith("__name__ =="))
        or (does_anything and isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
        or (does_anything and isinstance(node, (ast.For, ast.While, ast.With)))
        for node in body
    )
