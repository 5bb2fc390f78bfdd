"""The Python interface: `check` and `fix` for programs that build on mindport. It plans a run as the
command line does, prints nothing, writes nothing but the cache, and gives rows whose fields are only ever added to."""

from __future__ import annotations

import contextlib
import difflib
import os
import sys
from collections.abc import Iterator
from typing import Literal

import msgspec

from mindport.checking.fixing import fix_paths
from mindport.checking.outcome import FileReport
from mindport.checking.project import check_paths
from mindport.cli.plan import RunPlan, plan_run
from mindport.config.problem import ConfigurationError
from mindport.model.language import speaking
from mindport.report.convert import finding_rows
from mindport.report.rows import FindingRow, Summary, TargetRow
from mindport.report.summary import SummaryCounts
from mindport.source.text import content_of

__all__ = ["Checked", "ConfigurationError", "FindingRow", "FixedFile", "Fixes", "TargetRow", "check", "fix"]

DeviceName = Literal["auto", "Ascend", "GPU", "CPU"]
ModeName = Literal["pynative", "graph"]
AnyPath = str | os.PathLike[str]
_DEEPEST_RECURSION = 10_000  # as the command line: generated code nests deeper than Python lets us follow


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What a check found. `findings` are in the order of the files; `problems` says what could not be read, a line
    each; `targets` has what the verdicts speak of, one for each part of the project with settings of its own."""

    findings: tuple[FindingRow, ...]
    summary: Summary
    problems: tuple[str, ...]

    @property
    def targets(self) -> tuple[TargetRow, ...]:
        """The targets of the run."""
        return self.summary.targets


class FixedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file with its fixes. `before` and `after` are texts; `before` is empty for a file that the fixes add. `applied`
    counts the fixes, `findings` says what is left."""

    path: str
    before: str
    after: str
    applied: int
    findings: tuple[FindingRow, ...]

    @property
    def diff(self) -> str:
        """The change as a unified diff; empty where there is none."""
        lines = (self.before.splitlines(keepends=True), self.after.splitlines(keepends=True))
        return "".join(difflib.unified_diff(*lines, self.path, self.path))


class Fixes(msgspec.Struct, frozen=True, kw_only=True):
    """What `fix` would write: all files that were read, changed or not, and what could not be read."""

    files: tuple[FixedFile, ...]
    problems: tuple[str, ...]

    @property
    def diff(self) -> str:
        """All changes as one unified diff."""
        return "".join(file.diff for file in self.files)


def check(
    *paths: AnyPath,
    target_version: str | None = None,
    device: DeviceName | None = None,
    mode: ModeName | None = None,
    config_file: AnyPath | None = None,
    settings: dict[str, object] | None = None,
    use_cache: bool = False,
) -> Checked:
    """Check files and folders, the current one where none is given, as `mindport check` does.

    `settings` has settings of docs/configuration.md by their names, which count before those of files. Never raises for
    what the files hold; raises ConfigurationError for settings that are wrong and FileNotFoundError for a path that is
    not there."""
    with _planned(paths, config_file, settings, target_version, device, mode) as plan:
        counts = SummaryCounts(group.target_row for group in plan.groups)
        findings: list[FindingRow] = []
        for group in plan.groups:
            for report in check_paths(
                group.files, group.loaded.settings, group.target, group.loaded.root, use_cache, group.overlay
            ):
                counts.add_report(report)
                findings += [make_row() for _, make_row in finding_rows(report)]
        return Checked(findings=tuple(findings), summary=counts.summary(), problems=tuple(_problems(plan)))


def fix(
    *paths: AnyPath,
    target_version: str | None = None,
    device: DeviceName | None = None,
    mode: ModeName | None = None,
    config_file: AnyPath | None = None,
    settings: dict[str, object] | None = None,
    unsafe: bool = False,
) -> Fixes:
    """The files with their fixes, as `mindport fix` would write them; nothing is written. `unsafe`: also the fixes that
    a person should look at. Raises as `check` does."""
    with _planned(paths, config_file, settings, target_version, device, mode) as plan:
        problems = _problems(plan)
        files: list[FixedFile] = []
        for group in plan.groups:
            for file in fix_paths(
                group.files,
                group.loaded.settings,
                group.target,
                group.loaded.root,
                group.overlay,
                unsafe=unsafe,
                allow_dirty=True,
            ):
                if file.before is None or file.after is None:
                    problems += [f"{file.path}: {file.problem.message}"] if file.problem is not None else []
                    continue
                files.append(
                    FixedFile(
                        path=file.path,
                        before="" if file.is_new else content_of(file.before),
                        after=content_of(file.after),
                        applied=file.applied,
                        findings=_left(file.report),
                    )
                )
        return Fixes(files=tuple(files), problems=tuple(problems))


@contextlib.contextmanager
def _planned(
    paths: tuple[AnyPath, ...],
    config_file: AnyPath | None,
    settings: dict[str, object] | None,
    target_version: str | None,
    device: str | None,
    mode: str | None,
) -> Iterator[RunPlan]:
    """The plan of a run, in English as long as it lasts."""
    given = {"target-version": target_version, "device": device, "mode": mode}
    overrides = {"locale": "en", **(settings or {}), **{k: v for k, v in given.items() if v is not None}}
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(max(depth, _DEEPEST_RECURSION))
    try:
        with speaking(None):
            named = tuple(os.fspath(path) for path in paths)
            plan = plan_run(named, overrides, os.fspath(config_file) if config_file is not None else None)
            if plan.missing:
                raise FileNotFoundError(plan.missing[0].path)
            yield plan
    finally:
        sys.setrecursionlimit(depth)


def _left(report: FileReport) -> tuple[FindingRow, ...]:
    """The rows of what is left after fixes, whose report has the lines of code from before."""
    of_new_text = msgspec.structs.replace(report, sources=())
    return tuple(make_row() for _, make_row in finding_rows(of_new_text))


def _problems(plan: RunPlan) -> list[str]:
    return [f"{problem.path}: {problem.message}" for problem in plan.unreadable]
