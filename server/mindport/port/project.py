"""Ports a project: copies what belongs to it, converts what can be, and takes up what changed when it is run again."""

from __future__ import annotations

import filecmp
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from mindport.check.outcome import FileFix
from mindport.model.language import later
from mindport.model.target import Target
from mindport.port.manifest import Made, digest, new_manifest, read_manifest, write_manifest
from mindport.port.outcome import Ending, PortedFile, PortOutcome
from mindport.port.review import remarks_of, with_review_comments
from mindport.port.tree import tree_of
from mindport.source.problem import FILE_START, Problem, ProblemKind
from mindport.source.reasons import reason_of
from mindport.source.text import encode_source
from mindport.source.writing import replace_file

BESIDE = ".ported"
"""The end of the name of a new port that lies beside a file that was edited by hand."""


class Port(msgspec.Struct, frozen=True, kw_only=True):
    """What to port: the folder, where to, and for which target. `commit`: of a port in place, the commit that
    holds the original. `comments`: whether what to review is marked in the files. `overwrite`: whether files that were
    edited by hand are written anew."""

    source: Path
    destination: Path
    target: Target
    commit: str = ""
    comments: bool = False
    overwrite: bool = False
    respect_gitignore: bool = True

    @property
    def is_in_place(self) -> bool:
        """Whether the source itself is changed."""
        return self.source == self.destination


def port_project(
    port: Port, fixes: Iterable[FileFix], progress: Callable[[int, int], None] = lambda done, of: None
) -> PortOutcome:
    """Write the port of a project. `fixes` are its converted files, as `check.fixing.fix_paths` gives them with
    absolute paths; everything else is copied as it is. Each file is written in one step, and the manifest tells at any time what
    was. `progress` takes how many files are done; what it raises ends the port. Raises UnreadableManifest and OSError
    where nothing can be written at all."""
    return _Run(port, progress).outcome(fixes)


class _Run:
    def __init__(self, port: Port, progress: Callable[[int, int], None]) -> None:
        self._port = port
        self._progress = progress
        known = read_manifest(port.destination)
        self._before: Mapping[str, Made] = known.files if known is not None else {}
        self._made: dict[str, Made] = dict(self._before)
        self._problems: list[Problem] = []

    def outcome(self, fixes: Iterable[FileFix]) -> PortOutcome:
        port = self._port
        tree = tree_of(port.source, port.respect_gitignore)
        self._problems += tree.problems
        self._keep_manifest()
        try:
            files = list(self._files(fixes, tree.files))
        finally:
            self._keep_manifest()
        return PortOutcome(tuple(files), tuple(self._problems), tree.left_out)

    def _files(self, fixes: Iterable[FileFix], tree: tuple[str, ...]) -> Iterator[PortedFile]:
        converted: set[str] = set()
        for file in fixes:
            name = self._name(file.path)
            converted.add(name)
            self._progress(len(converted), len(tree))
            yield self._converted(name, file)
        for number, name in enumerate(tree):
            self._progress(max(number, len(converted)), len(tree))
            if name not in converted and not self._port.is_in_place:
                converted.add(name)
                yield self._copied(name)
        yield from (self._removed(name) for name in sorted(self._before.keys() - converted))

    def _name(self, path: str) -> str:
        return os.path.relpath(path, self._port.source).replace(os.sep, "/")

    def _converted(self, name: str, file: FileFix) -> PortedFile:
        if file.problem is not None:
            self._problems.append(file.problem)
        review, left = remarks_of(file, name, self._port.target)
        if file.before is None or file.after is None:
            copied = self._copied(name)
            return msgspec.structs.replace(copied, left=left, is_python=True)
        after = with_review_comments(file.after, review) if self._port.comments else file.after
        try:
            content, original = encode_source(after), encode_source(file.before)
        except ValueError as error:  # of encodings, too
            self._fail(name, later("was not written: {reason}"), str(error))
            return PortedFile(name, Ending.FAILED, left=left, is_python=True)
        source = b"" if file.is_new else original
        ending = self._write(name, content, source, self._mode(name))
        return PortedFile(name, ending, file.applied, review, left, is_python=True)

    def _copied(self, name: str) -> PortedFile:
        place = self._port.source / name
        if self._port.is_in_place:
            return PortedFile(name, Ending.UNCHANGED)
        try:
            if place.is_symlink():
                return PortedFile(name, self._linked(name, place))
            if _is_same(place, self._port.destination / name):
                return PortedFile(name, self._unchanged(name))
            content = place.read_bytes()
        except OSError as error:
            self._fail(name, later("cannot be copied: {reason}"), reason_of(error))
            return PortedFile(name, Ending.FAILED)
        return PortedFile(name, self._write(name, content, content, self._mode(name)))

    def _unchanged(self, name: str) -> Ending:
        if name not in self._made:
            content = (self._port.source / name).read_bytes()
            self._made[name] = Made(digest(content), digest(content))
        return Ending.UNCHANGED

    def _linked(self, name: str, link: Path) -> Ending:
        """A link stays a link to what it leads to, from its new place."""
        to = link.readlink()
        place = self._port.destination / name
        inside = Path(os.path.normpath(link.parent / to))
        is_inside = not to.is_absolute() and self._port.source in inside.parents
        wanted = to if is_inside or to.is_absolute() else inside
        if place.is_symlink() and place.readlink() == wanted:
            return Ending.UNCHANGED
        if os.path.lexists(place):
            return Ending.KEPT
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(wanted)
        return Ending.WRITTEN

    def _write(self, name: str, content: bytes, source: bytes, mode: int) -> Ending:
        """Write a file unless a person changed it; what a file becomes is kept in mind."""
        place = self._port.destination / name
        made = Made(digest(source), digest(content))
        try:
            present = place.read_bytes() if place.is_file() else None
        except OSError as error:
            self._fail(name, later("cannot be read: {reason}"), reason_of(error))
            return Ending.FAILED
        before = self._before.get(name)
        if present == content:
            self._made[name] = made
            return Ending.UNCHANGED
        is_own = present is None or (before is not None and digest(present) == before.written)
        is_original = self._port.is_in_place and before is None and present == source
        if not (is_own or is_original or self._port.overwrite):
            if before is not None and before.written == made.written:
                return Ending.KEPT
            return self._beside(name, content, mode, made)
        return self._replaced(name, place, content, mode, made, Ending.WRITTEN)

    def _beside(self, name: str, content: bytes, mode: int, made: Made) -> Ending:
        place = self._port.destination / f"{name}{BESIDE}"
        return self._replaced(name, place, content, mode, made, Ending.CONFLICT)

    def _replaced(
        self, name: str, place: Path, content: bytes, mode: int, made: Made, ending: Ending
    ) -> Ending:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            replace_file(place, content, mode)
        except OSError as error:
            self._fail(name, later("was not written: {reason}"), reason_of(error))
            return Ending.FAILED
        self._made[name] = made
        return ending

    def _removed(self, name: str) -> PortedFile:
        """A file that an earlier run wrote and that is not in the source any more."""
        place = self._port.destination / name
        before = self._made.pop(name)
        if self._port.is_in_place or not os.path.lexists(place):
            return PortedFile(name, Ending.REMOVED)
        try:
            if place.is_symlink() or digest(place.read_bytes()) != before.written:
                return PortedFile(name, Ending.KEPT)
            place.unlink()
        except OSError as error:
            self._fail(name, later("cannot be removed: {reason}"), reason_of(error))
            return PortedFile(name, Ending.FAILED)
        return PortedFile(name, Ending.REMOVED)

    def _mode(self, name: str) -> int:
        try:
            return (self._port.source / name).stat().st_mode & 0o777
        except OSError:
            return 0o644

    def _fail(self, name: str, sentence: str, reason: str) -> None:
        problem = Problem(ProblemKind.UNWRITABLE, sentence, FILE_START, name, values={"reason": reason})
        self._problems.append(problem)

    def _keep_manifest(self) -> None:
        port = self._port
        away = os.path.relpath(port.source, port.destination).replace(os.sep, "/")
        write_manifest(port.destination, new_manifest(away, str(port.target), port.commit, self._made))


def _is_same(one: Path, other: Path) -> bool:
    """Whether two files have the same bytes, told without reading large ones whole into memory."""
    return other.is_file() and not other.is_symlink() and filecmp.cmp(one, other, shallow=False)
