"""`mindport check --add-suppressions`: comments that ignore what is reported, in place of its report."""

from __future__ import annotations

from collections.abc import Collection

from mindport.check.outcome import FileReport
from mindport.check.suppress import with_ignored
from mindport.cli.output import warn, warn_of
from mindport.config.settings import Settings
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.report.text import number_of
from mindport.source.problem import Problem
from mindport.source.text import YAML_SUFFIXES, read_source, write_source

_ABOUT_THE_TOOL = "MP9"  # what cannot be read has no comments


class Suppressions:
    """Adds comments file by file. Hints are ignored only where the user asked for them."""

    def __init__(self, settings: Settings, reason: str) -> None:
        self._reason = " ".join(reason.split())
        shown = Severity.INFORMATION if settings.min_severity == "auto" else settings.lowest_severity
        self._lowest = shown
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
        problem = write_source(report.path, ignored.source, source)
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
