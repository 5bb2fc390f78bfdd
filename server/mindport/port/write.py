"""Writes a port file by file, each in one step, and never over what was edited by hand."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from mindport.model.language import later
from mindport.port.manifest import (
    Manifest,
    ManifestFile,
    digest_of,
    digest_of_file,
    digest_of_link,
    make_folder,
    manifest_name,
    write_manifest,
)
from mindport.port.outcome import Fate
from mindport.source.problem import FILE_START, Problem, ProblemKind
from mindport.source.reasons import reason_of
from mindport.source.writing import replace_by, replace_file

_UNWRITABLE = later("cannot be written: {reason}")
BESIDE = ".mindport-new"


class Item(msgspec.Struct, frozen=True):
    """One file of the port: its bytes in `content`, or the file that it is a copy of, or where it leads as a link.
    `before` is the digest of the file of the project, empty for one that only the port has."""

    path: str
    before: str = ""
    content: bytes | None = None
    copy_of: Path | None = None
    link: str | None = None
    mode: int = 0o644

    @property
    def written(self) -> str:
        """The digest of what is written. Raises OSError."""
        if self.link is not None:
            return digest_of_link(self.link)
        if self.content is not None:
            return digest_of(self.content)
        assert self.copy_of is not None
        return digest_of_file(self.copy_of)


class PortWriter:
    """Brings the files of a port up to date. What was not written is told in `problems`, what became of the others in
    `fates`; the manifest holds what is written, whenever it ends."""

    def __init__(self, destination: Path, manifest: Manifest, overwrite: bool) -> None:
        self._destination = destination
        self._manifest = manifest
        self._overwrite = overwrite
        self.problems: list[Problem] = []
        self.fates: dict[str, Fate] = {}

    @contextmanager
    def keeping_manifest(self) -> Iterator[None]:
        """Around all writing: the manifest is there before the first file and true after the last, also where an
        interrupt ends it. Raises OSError."""
        write_manifest(self._destination, self._manifest)
        try:
            yield
        finally:
            write_manifest(self._destination, self._manifest)

    def make_folder(self, path: str) -> None:
        """Make a folder of the port."""
        try:
            make_folder(self._destination / path, self._destination)
        except OSError as error:
            self._problem(str(self._destination / path), _UNWRITABLE, error)

    def write(self, item: Item) -> None:
        """Write one file, unless it is as it should be or was edited by hand."""
        place = self._destination / item.path
        name = manifest_name(item.path)
        try:
            written = item.written
        except OSError as error:
            self._problem(str(item.copy_of), later("cannot be read: {reason}"), error)
            return
        try:
            before = item.before or (written if item.content is None else "")
            known = self._manifest.files.get(name)
            present = digest_of_file(place)
            is_edited = bool(present) and (known is None or present != known.written)
            if present == written:
                fate = Fate.UNCHANGED
            elif not is_edited or (self._overwrite and not present.startswith("mode")):
                self._put(item, place)
                fate = Fate.WRITTEN
            elif known is not None and known.written == written:
                fate = Fate.EDITED
            else:
                self._put(item, place.with_name(place.name + BESIDE))
                fate = Fate.BESIDE
        except OSError as error:
            self._problem(str(place), _UNWRITABLE, error)
            return
        self.fates[item.path] = fate
        self._manifest.files[name] = ManifestFile(before, written)

    def remove_gone(self, project: Path) -> None:
        """Remove the files of the manifest that this run has no more and that are gone from the project, and those that
        only the port had, unless they were edited."""
        written = {manifest_name(path) for path in self.fates}
        for name, known in list(self._manifest.files.items()):
            if name in written or (known.source and os.path.lexists(project / name)):
                continue
            place = self._destination / name
            try:
                present = digest_of_file(place)
                if present == known.written:
                    make_folder(place.parent, self._destination)
                    place.unlink()
                    with suppress(OSError):
                        place.parent.rmdir()  # if nothing else is in it
            except OSError as error:
                self._problem(str(place), _UNWRITABLE, error)
                continue
            if present not in ("", known.written):
                self.fates[name] = Fate.ORPHANED
                continue
            if present:
                self.fates[name] = Fate.REMOVED
            del self._manifest.files[name]

    def _put(self, item: Item, place: Path) -> None:
        make_folder(place.parent, self._destination)
        if item.link is not None:
            link = item.link
            replace_by(place, lambda made: made.symlink_to(link))
        elif item.content is not None:
            replace_file(place, item.content, item.mode)
        else:
            source = item.copy_of
            assert source is not None
            replace_by(place, lambda made: _copied(source, made))

    def _problem(self, place: str, sentence: str, error: OSError) -> None:
        kind = ProblemKind.UNWRITABLE if sentence is _UNWRITABLE else ProblemKind.UNREADABLE
        self.problems.append(Problem(kind, sentence, FILE_START, place, values={"reason": reason_of(error)}))


def link_target(link: Path, project: Path, place: Path) -> str:
    """Where a link of the project leads in its port: to the same text inside of the project, and by absolute paths; one
    that leads out by a relative path still leads to the same place. Raises OSError."""
    target = os.readlink(link)  # noqa: PTH115 - the text of the link as it stands
    if os.path.isabs(target):  # noqa: PTH117
        return target
    aim = os.path.normpath(link.parent / target)
    if aim == str(project) or aim.startswith(f"{project}{os.sep}"):
        return target
    return os.path.relpath(aim, place.parent)


def mode_of(path: Path) -> int:
    """The mode bits of a file. Raises OSError."""
    return stat.S_IMODE(path.stat().st_mode)


def _copied(source: Path, made: Path) -> None:
    """Copy without reading all of it at once."""
    shutil.copyfile(source, made)
    made.chmod(mode_of(source) | stat.S_IWUSR)
