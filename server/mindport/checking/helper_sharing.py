"""Puts the helpers of a run into one module for each package or folder of scripts, once several of its files need any,
one of them needs many lines of them, or it has such a module already."""

from __future__ import annotations

import functools
import os
import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from mindport.checking.helper_places import HelperPlaces
from mindport.checking.outcome import FileFix, FileReport
from mindport.model.span import Edit
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.helper_module import (
    HelperModule,
    helpers_of,
    unchanged_helpers,
    with_helpers_added,
    with_helpers_imported,
)
from mindport.rewrite.line_changes import line_changes
from mindport.source.discovery import full_path, written_like
from mindport.source.text import SourceText, read_source
from mindport.usage.project import Project

# Lines of helpers that a file takes among its own; more of them would hide what the file is about.
_MOST_LINES = 80


class _Converted(msgspec.Struct):
    """A converted file with helpers, and how it imports from each of the folders whose module it can have; and from
    those of packages beside its own, whose module it may have where theirs is one module less."""

    file: FileFix
    folders: dict[str, str]
    beside: dict[str, str]
    places: HelperPlaces

    def way_to(self, folder: str) -> str:
        return self.folders[folder] if folder in self.folders else self.beside[folder]

    def module_in(self, folder: str, name: str) -> HelperModule:
        """The module called `name` in a folder, as the file imports it."""
        assert self.file.before is not None
        up = self.places.folders_up(full_path(self.file.path), self.file.before.text, folder)
        return HelperModule(_dotted(self.way_to(folder), name), up)


def share_helpers(
    parts: Iterable[tuple[Project, Sequence[FileFix]]], name: str, top: str, within: str = ""
) -> list[FileFix]:
    """The files with their helpers in modules called `name`, and these modules. A new module lies below `top`, where
    several files need it or one needs much of it; none is written outside of `within`, where that is given. Files keep
    the helpers that no module can be found for."""
    files: dict[str, FileFix] = {}
    converted: list[_Converted] = []
    parts = tuple(parts)
    places = HelperPlaces(*(project for project, _ in parts))
    for _, part in parts:
        for file in part:
            files[full_path(file.path)] = file
            if _has_helpers(file):
                converted.append(_converted(file, places))
    modules = _Modules(name, files, within)
    sharing: defaultdict[str, list[_Converted]] = defaultdict(list)
    users_of = Counter(folder for one in converted for folder in one.folders)
    for one in converted:
        folder = _folder(one, modules, top, users_of)
        if folder:
            sharing[folder].append(one)
    _join(sharing, modules)
    taken = {
        folder: users
        for folder, users in sharing.items()
        if modules.is_there(folder) or len(users) > 1 or _has_many_lines(users[0].file)
    }
    # Modules that go by the bare name in one program are one module to Python: whichever it finds first has all.
    bare = {folder for folder, users in taken.items() if any(not user.way_to(folder) for user in users)}
    for folder, users in taken.items():
        beside = [user for other in bare - {folder} for user in taken[other]] if folder in bare else []
        modules.take(folder, users, beside)
    return list(files.values())


class ExistingHelpers:
    """The modules of helpers called `name` that a project has already, for files that are converted one by one. The
    files are looked through once."""

    def __init__(self, project: Project, name: str) -> None:
        self._project = project
        self._name = name
        self._found: dict[str, tuple[frozenset[str], HelperModule] | None] = {}

    @functools.cached_property
    def _places(self) -> HelperPlaces:
        return HelperPlaces(self._project)

    def imported(self, before: SourceText, text: str) -> str:
        """One converted text whose helpers are imported as far as a module has them."""
        path = full_path(before.path)
        if path not in self._found:
            self._found[path] = self._module(path, before.text)
        found = self._found[path]
        return text if found is None else with_helpers_imported(text, found[0], found[1], before.text)

    def edits(self, before: SourceText, edits: Sequence[Edit]) -> Sequence[Edit]:
        """The edits of one fix; helpers that a module has are imported from there and not written into the file."""
        # Most fixes write no definition, and need not be tried out.
        if not self._name or before.notebook is not None or not any("def " in one.text for one in edits):
            return edits
        text = apply_edits(before.text, edits, before.newline)
        shared = self.imported(before, text)
        return edits if shared == text else line_changes(before.text, shared)

    def _module(self, path: str, text: str) -> tuple[frozenset[str], HelperModule] | None:
        """The helpers of the module that a file can import them from, and what it calls that."""
        for folder in (*self._places.folders(path), *self._places.packages_beside(path)):
            package = self._places.package(path, text, folder)
            module = read_source(f"{folder}/{self._name}.py") if package is not None else None
            if isinstance(module, SourceText) and package is not None:
                found = HelperModule(
                    _dotted(package, self._name), self._places.folders_up(path, text, folder)
                )
                return frozenset(helpers_of(module.text)), found
        return None


class _Modules:
    """The modules of helpers of a run: those on the disk, and those that are made."""

    def __init__(self, name: str, files: dict[str, FileFix], within: str) -> None:
        self._name = name
        self._files = files
        self._within = within

    def is_there(self, folder: str) -> bool:
        """Whether the folder has a module that holds helpers."""
        found = self._found(folder)
        return found is not None and found.after is not None and bool(helpers_of(found.after.text))

    def may_be(self, folder: str) -> bool:
        """Whether the folder has or can have one: nothing else is called so."""
        is_inside = not self._within or f"{folder}/".startswith(f"{self._within}/")
        is_free = not os.path.lexists(f"{folder}/{self._name}") and not os.path.lexists(self._path(folder))
        return is_inside and (self.is_there(folder) or is_free)

    def take(self, folder: str, users: Sequence[_Converted], beside: Sequence[_Converted] = ()) -> None:
        """Move the helpers of files into the module of a folder, and put those of the files `beside` there, too."""
        path = self._path(folder)
        found = self._found(folder)
        if found is None:
            new = SourceText(written_like(path, users[0].file.path), "")
            found = FileFix(new.path, FileReport(new.path), new, new, is_new=True)
        names: set[str] = set()
        for user in beside:
            assert user.file.after is not None
            names |= unchanged_helpers(user.file.after.text)
        for user in users:
            before, after = user.file.before, user.file.after
            assert before is not None
            assert after is not None
            own = unchanged_helpers(after.text)
            module = user.module_in(folder, self._name)
            text = with_helpers_imported(after.text, own, module, before.text)
            changed = msgspec.structs.replace(user.file, after=after.with_text(text), helpers=found.path)
            self._files[full_path(user.file.path)] = changed
            names |= own
        assert found.after is not None
        text = with_helpers_added(found.after.text, names)
        self._files[path] = msgspec.structs.replace(found, after=found.after.with_text(text))

    def _found(self, folder: str) -> FileFix | None:
        path = self._path(folder)
        if path not in self._files:
            source = read_source(path)
            if not isinstance(source, SourceText):
                return None
            return FileFix(path, FileReport(path), source, source)
        return self._files[path]

    def _path(self, folder: str) -> str:
        return f"{folder}/{self._name}.py"


def _has_helpers(file: FileFix) -> bool:
    """Whether a file was converted and has helpers that may leave it."""
    before, after = file.before, file.after
    if before is None or after is None or before.text == after.text:
        return False
    return bool(unchanged_helpers(after.text))


def _has_many_lines(file: FileFix) -> bool:
    assert file.after is not None
    return with_helpers_added("", unchanged_helpers(file.after.text)).count("\n") > _MOST_LINES


def _converted(file: FileFix, places: HelperPlaces) -> _Converted:
    path = full_path(file.path)
    assert file.before is not None
    folders, beside = (
        {
            folder: one
            for folder in found
            if (one := places.package(path, file.before.text, folder)) is not None
        }
        for found in (places.folders(path), places.packages_beside(path))
    )
    return _Converted(file, folders, beside, places)


def _join(sharing: dict[str, list[_Converted]], modules: _Modules) -> None:
    """Let the users of one new module have another one's, the fewest first, where all of them can: a class that stands
    in two modules is two classes, and `type(m) is TorchConv2d` in one is false for what the other built."""
    for folder in sorted(sharing, key=lambda one: len(sharing[one])):
        others = [
            other
            for other in sharing
            if other != folder
            and all(other in user.folders or other in user.beside for user in sharing[folder])
        ]
        if others and not modules.is_there(folder):
            sharing[max(others, key=lambda one: len(sharing[one]))] += sharing.pop(folder)


def _folder(one: _Converted, modules: _Modules, top: str, users_of: Mapping[str, int]) -> str:
    """The nearest folder that has a module of helpers, else of those below `top` that may get one that which most files
    can import, so that all have the same classes; empty where there is none."""
    folders = [folder for folder in one.folders if modules.may_be(folder)]
    there = [folder for folder in (*folders, *one.beside) if modules.is_there(folder)]
    if there:
        own = posixpath.dirname(full_path(one.file.path))
        return min(there, key=lambda folder: posixpath.relpath(folder, own).count(".."))
    below = [folder for folder in folders if f"{folder}/".startswith(f"{top}/")]
    return max(below, key=lambda folder: users_of[folder], default="")


def _dotted(package: str, name: str) -> str:
    is_whole = not package or package.endswith(".")
    return f"{package}{name}" if is_whole else f"{package}.{name}"
