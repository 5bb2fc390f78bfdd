"""Ports a project: into another folder, which a later run brings up to date, or in place on a branch of its own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from mindport import __version__
from mindport.model.language import say
from mindport.port.branch import CleanRepository
from mindport.port.convert import ConvertedProject, PortPart, Progress, convert
from mindport.port.manifest import (
    FOLDER,
    Manifest,
    ManifestTarget,
    digest_of,
    digest_of_file,
    make_folder,
    read_manifest,
    write_manifest,
)
from mindport.port.outcome import Fate, PortOutcome, PortProblem
from mindport.port.page import NAME, page
from mindport.port.tree import Tree, read_tree
from mindport.port.write import Item, PortWriter, link_target, mode_of
from mindport.source.problem import Problem, ProblemKind
from mindport.source.reasons import reason_of
from mindport.source.text import write_source
from mindport.source.writing import replace_file


class Port(msgspec.Struct, frozen=True, kw_only=True):
    """What to port: `source` is a folder or one file of code, `parts` its files with their settings and targets."""

    source: Path
    parts: tuple[PortPart, ...]
    review_comments: bool = False
    with_page: bool = True
    respect_gitignore: bool = True
    with_large_files: bool = False

    @property
    def project(self) -> Path:
        """The folder that files keep their places below."""
        return _absolute(self.source if self.source.is_dir() else self.source.parent)

    @property
    def tree(self) -> Tree:
        """What is taken over."""
        if not self.source.is_dir():
            return Tree([self.source.name], [], [], [], [])
        return read_tree(
            self.project, respect_gitignore=self.respect_gitignore, with_large_files=self.with_large_files
        )


def check_places(source: Path, destination: Path) -> Manifest | None:
    """The manifest of an earlier run where there is one. Raises PortProblem where the port cannot go there."""
    if not source.exists():
        raise PortProblem(say("{folder}: no such file or directory", folder=source))
    if not (source.is_dir() or source.is_file()):
        raise PortProblem(say("{folder} is neither a folder nor a file", folder=source))
    project = Path(os.path.realpath(source if source.is_dir() else source.parent))
    real = Path(os.path.realpath(destination))
    if source.is_dir() and (real == project or project in real.parents):
        raise PortProblem(
            say("{port} lies inside of {source}: name a folder beside it", port=destination, source=source)
        )
    if real == project or real in project.parents:
        raise PortProblem(
            say("{source} lies inside of {port}: name another folder", port=destination, source=source)
        )
    if destination.exists() and not destination.is_dir():
        raise PortProblem(say("{port} is no folder", port=destination))
    manifest = read_manifest(destination)
    try:
        is_empty = not destination.exists() or not any(destination.iterdir())
    except OSError as error:
        raise PortProblem(
            say("{file} cannot be read: {reason}", file=destination, reason=reason_of(error))
        ) from None
    if manifest is None and not is_empty:
        raise PortProblem(
            say("{port} is not empty, and no port by mindport: name another folder", port=destination)
        )
    if manifest is not None and Path(os.path.realpath(destination / manifest.source)) != project:
        raise PortProblem(
            say(
                "{port} is the port of {other}, not of {source}: name another folder",
                port=destination,
                other=manifest.source,
                source=source,
            )
        )
    return manifest


def port_project(
    port: Port,
    destination: Path,
    *,
    overwrite: bool = False,
    progress: Progress = lambda done, total: None,
) -> PortOutcome:
    """Port into a folder, or bring the port there up to date. Files that were edited by hand are left alone unless
    `overwrite`. What `progress` raises before the first file is written leaves the folder as it was. Raises
    PortProblem."""
    earlier = check_places(port.source, destination)
    destination = _absolute(destination)
    tree = port.tree
    found = convert(port.parts, port.project, frozenset(tree.files), port.review_comments, progress)
    manifest = _manifest(port, os.path.relpath(port.project, destination), earlier)
    writer = PortWriter(destination, manifest, overwrite)
    outcome = _outcome(found, str(destination), tree)
    try:
        with writer.keeping_manifest():
            for folder in tree.folders:
                writer.make_folder(folder)
            problems = _write_files(port, destination, tree, found, writer)
            if port.with_page:
                name = _page_name(tree)
                outcome = msgspec.structs.replace(outcome, report=name)
                writer.write(Item(name, content=page(outcome).encode("utf-8", "replace")))
            if not tree.problems:  # what lies in a folder that cannot be read only seems to be gone
                writer.remove_gone(port.project)
    except OSError as error:
        raise PortProblem(
            say("{file} cannot be written: {reason}", file=destination, reason=reason_of(error))
        ) from None
    fates = writer.fates
    return msgspec.structs.replace(
        outcome, problems=(*outcome.problems, *problems, *writer.problems), fates=fates
    )


def port_in_place(port: Port, branch: str, *, progress: Progress = lambda done, total: None) -> PortOutcome:
    """Port a project in a clean git repository on a new branch. Nothing is committed. Raises PortProblem."""
    repository = CleanRepository(port.project)
    tree = port.tree
    found = convert(port.parts, port.project, frozenset(tree.files), port.review_comments, progress)
    outcome = _outcome(found, str(port.project), msgspec.structs.replace(tree, left_out=[]))
    made = repository.switch_to_new(branch)
    problems: list[Problem] = []
    fates: dict[str, Fate] = {}
    manifest = _manifest(port, ".", None, made.commit)
    unwritten: set[str] = set()
    for path, file in found.files.items():
        if not file.is_changed or file.fix.helpers in unwritten:
            continue
        problem = write_source(file.fix.path, file.after, None if file.fix.is_new else file.fix.before)
        if problem is not None:
            problems.append(problem)
            unwritten.add(file.fix.path)
        else:
            fates[path] = Fate.WRITTEN
    try:
        if port.with_page:
            outcome = msgspec.structs.replace(outcome, report=_page_name(tree))
            place = port.project / outcome.report
            make_folder(place.parent, port.project)
            replace_file(place, page(outcome).encode("utf-8", "replace"))
        write_manifest(port.project, manifest)
    except OSError as error:
        raise PortProblem(
            say("{file} cannot be written: {reason}", file=port.project, reason=reason_of(error))
        ) from None
    return msgspec.structs.replace(outcome, problems=(*outcome.problems, *problems), fates=fates, branch=made)


def _write_files(
    port: Port, destination: Path, tree: Tree, found: ConvertedProject, writer: PortWriter
) -> Sequence[Problem]:
    """Write converted files, then what is copied, then links. Gives what could not be read."""
    problems: list[Problem] = []
    missed: set[str] = set()
    for path, file in found.files.items():
        if file.fix.helpers in missed:
            continue
        mode = 0o644 if file.fix.is_new else mode_of(port.project / path)
        before = "" if file.fix.is_new else digest_of(file.before)
        writer.write(Item(path, before, content=file.content, mode=mode))
        if path not in writer.fates:
            missed.add(file.fix.path)
    for path in tree.files:
        if path not in found.files:
            writer.write(Item(path, copy_of=port.project / path))
    for path in tree.links:
        try:
            target = link_target(port.project / path, port.project, destination / path)
        except OSError as error:
            values = {"reason": reason_of(error)}
            problems.append(
                Problem(ProblemKind.UNREADABLE, "cannot be read: {reason}", path=path, values=values)
            )
            continue
        writer.write(Item(path, digest_of_file(port.project / path), link=target))
    return problems


def _outcome(found: ConvertedProject, destination: str, tree: Tree) -> PortOutcome:
    return PortOutcome(
        destination=destination,
        summary=found.summary,
        converted=tuple(path for path, file in found.files.items() if file.fix.applied and file.is_changed),
        fixes=found.fixes,
        review=tuple(found.review),
        left=tuple(found.left),
        left_out=tuple(tree.left_out),
        problems=(*tree.problems, *found.problems),
    )


def _manifest(port: Port, source: str, earlier: Manifest | None, commit: str = "") -> Manifest:
    target = port.parts[0].target if port.parts else None
    row = ManifestTarget(str(target.version), target.device.value, target.mode.value) if target else None
    return Manifest(
        source=Path(source).as_posix(),
        commit=commit,
        mindport=__version__,
        target=row,
        files=dict(earlier.files) if earlier else {},
    )


def _page_name(tree: Tree) -> str:
    """Where the page goes: a project may have a PORT.md of its own."""
    return f"{FOLDER}/{NAME}" if NAME in (*tree.files, *tree.links) else NAME


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100
