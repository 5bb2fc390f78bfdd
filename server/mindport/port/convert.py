"""Converts the code of a project, as `mindport fix --unsafe-fixes` does, without writing anything."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from mindport.checking.fixing import fix_paths
from mindport.checking.outcome import FileFix
from mindport.config.settings import Settings
from mindport.model.target import Target
from mindport.port.outcome import Remark
from mindport.port.review import remarks, with_comments, with_target_named_once
from mindport.port.tree import is_code
from mindport.report.rows import Summary, TargetRow
from mindport.report.summary import SummaryCounts
from mindport.source.problem import Problem
from mindport.source.text import SourceText, encoded_source

Progress = Callable[[int, int], None]


class PortPart(msgspec.Struct, frozen=True):
    """Files of the project that share their settings, and so their target; `root` is what settings are relative to."""

    files: tuple[str, ...]
    settings: Settings
    target: Target
    root: str
    target_row: TargetRow


class ConvertedFile(msgspec.Struct, frozen=True):
    """A file of code and what it becomes, as bytes; `before` is empty for a new module of helpers."""

    fix: FileFix
    before: bytes
    content: bytes
    after: SourceText

    @property
    def is_changed(self) -> bool:
        """Whether it becomes another one."""
        return self.content != self.before


class ConvertedProject(msgspec.Struct):
    """What converting found: files by their paths relative to the project, in the order to write them in."""

    summary: Summary
    files: dict[str, ConvertedFile] = {}
    fixes: int = 0
    review: list[Remark] = []
    left: list[Remark] = []
    problems: list[Problem] = []


def convert(
    parts: Sequence[PortPart], project: Path, wanted: frozenset[str], comments: bool, progress: Progress
) -> ConvertedProject:
    """Convert the files of `parts` that are among the `wanted` ones, paths relative to the project. `progress` takes
    how many are done, and of how many; what it raises ends the work, and nothing has been written."""
    counts = SummaryCounts(part.target_row for part in parts)
    found = ConvertedProject(counts.summary(), {}, 0, [], [], [])
    total, done = sum(len(part.files) for part in parts), 0
    top = str(project).replace(os.sep, "/")
    progress(0, total)
    for part in parts:
        for fix in fix_paths(
            part.files,
            part.settings,
            part.target,
            part.root,
            unsafe=True,
            allow_dirty=True,
            within=top,
            takes_guesses=True,
        ):
            done += not fix.is_new
            progress(done, total)
            name = Path(os.path.relpath(os.path.abspath(fix.path), project)).as_posix()  # noqa: PTH100
            if fix.is_new or name in wanted:
                counts.add_report(fix.report)
                _take(with_target_named_once(fix, part.target), name, found, comments)
    found.summary = counts.summary()
    return found


def _take(fix: FileFix, name: str, found: ConvertedProject, comments: bool) -> None:
    if fix.problem is not None:
        found.problems.append(fix.problem)
    if fix.before is None or fix.after is None:
        return
    after, inserted = with_comments(fix) if comments else (fix.after, ())
    content = encoded_source(fix.path, after)
    if isinstance(content, Problem):
        found.problems.append(content)
        return
    if is_code(name):
        before = b"" if fix.is_new else encoded_source(fix.path, fix.before)
        assert isinstance(before, bytes)  # it was read from these bytes
        found.files[name] = ConvertedFile(fix, before, content, after)
        found.fixes += fix.applied
    review, left = remarks(fix, name, after, inserted)
    found.review += review
    found.left += left
