"""`mindport check --add-suppressions` and `--remove-suppressions`: comments that ignore what is reported, in place of
its report, and comments that ignore nothing."""

from __future__ import annotations

import datetime
import os
from collections.abc import Collection, Iterable, Sequence

import click
import msgspec

from mindport.checking.idle_comments import removal_edits
from mindport.checking.out_of_reach import OutOfReach
from mindport.checking.outcome import FileReport
from mindport.checking.suppress import with_ignored
from mindport.cli.output import warn, warn_of
from mindport.config.settings import Settings
from mindport.model.finding import Severity
from mindport.model.language import later, say
from mindport.report.text import number_of
from mindport.rewrite.apply import apply_edits
from mindport.source.problem import FILE_START, Problem, ProblemKind
from mindport.source.text import YAML_SUFFIXES, SourceText, read_source, write_source

_ABOUT_THE_TOOL = "MP9"  # what cannot be read has no comments
_REMOVED = later("removed {comments} in {files}, which suppressed nothing")


class Suppressions:
    """Adds comments file by file. Hints are ignored only where the user asked for them."""

    def __init__(self, settings: Settings, named: Sequence[str], reason: str, until: str = "") -> None:
        words = f"until {until} {reason}" if until else reason
        self._reason = " ".join(words.split())
        shown = Severity.INFORMATION if settings.min_severity == "auto" else settings.lowest_severity
        self._lowest = shown
        self._reach = OutOfReach(named)
        self._count = 0
        self._files = 0
        self.problems: list[Problem] = []

    def add(self, report: FileReport, accepted: Collection[int]) -> frozenset[int]:
        """Write comments into a file for all that it reports but what is accepted. Gives the places in
        `report.findings` of those that are ignored now."""
        wanted = {
            index: finding
            for index, finding in enumerate(report.findings)
            if index not in accepted
            and finding.severity >= self._lowest
            and not finding.rule.startswith(_ABOUT_THE_TOOL)
        }
        if not wanted or report.path.endswith(YAML_SUFFIXES):
            return frozenset()
        source = read_source(report.path)
        if isinstance(source, Problem):
            self.problems.append(source)
            return frozenset()
        ignored = with_ignored(source, wanted, self._reason)
        if ignored.source.text == source.text:
            return ignored.indexes
        problem = _write(report.path, ignored.source, source, self._reach)
        if problem is not None:
            self.problems.append(problem)
            return frozenset()
        self._count += len(ignored.indexes)
        self._files += 1
        return ignored.indexes

    def finish(self) -> None:
        """Tell the user what was written."""
        warn_of(self.problems)
        findings, files = number_of(self._count, "finding"), number_of(self._files, "file")
        warn(say("added comments that ignore {findings} in {files}", findings=findings, files=files))


def day_of(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """The last day of comments that are written, as they say it. Raises BadParameter where it is none, or over."""
    if not value:
        return ""
    try:
        day = datetime.date.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(say("{value!r} is no day; write it as 2027-03-31", value=value)) from None
    if day < datetime.date.today():
        raise click.BadParameter(say("{value} is over", value=value))
    return day.isoformat()


def remove_idle(reports: Iterable[FileReport], named: Sequence[str]) -> None:
    """Remove the comments that suppress nothing from the files, or the codes in them, and tell the user."""
    reach = OutOfReach(named)
    problems: list[Problem] = []
    comments, files = 0, 0
    done: set[str] = set()  # real paths: a file may have two names
    for report in reports:
        real = os.path.realpath(report.path)
        if not report.idle or real in done:
            continue
        done.add(real)
        source = read_source(report.path)
        if isinstance(source, Problem):
            problems.append(source)
            continue
        text = apply_edits(source.text, removal_edits(source.text, report.idle))
        problem = _write(report.path, msgspec.structs.replace(source, text=text), source, reach)
        if problem is not None:
            problems.append(problem)
            continue
        comments += len(report.idle)
        files += 1
    warn_of(problems)
    warn(say(_REMOVED, comments=number_of(comments, "comment"), files=number_of(files, "file")))


def _write(path: str, changed: SourceText, original: SourceText, reach: OutOfReach) -> Problem | None:
    reason = reach.reason(path)
    if reason is not None:
        return Problem(ProblemKind.CHANGED, reason, FILE_START, path)
    return write_source(path, changed, original)
