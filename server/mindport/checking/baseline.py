"""The findings that a project has accepted for now, so that a check speaks of new ones only.

A finding is known again by its file, its code, the name that it is about and its line of code, wherever that line is
now. Where the line was edited, it is still known while its file has no more of its kind than were accepted; where the
file has another name, by the rest."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping

import msgspec

from mindport.checking.outcome import FileReport
from mindport.config.problem import ConfigurationError
from mindport.model.finding import Finding, Severity
from mindport.model.language import say
from mindport.source.discovery import printable_path

BASELINE_FILE = "mindport-baseline.json"
_FORMAT = 1
_ABOUT_THE_TOOL = "MP9"  # a file that cannot be read is never accepted

Mark = tuple[str, str, str]  # code, API and line of code


class Accepted(msgspec.Struct, frozen=True, order=True):
    """So many equal findings of one file."""

    file: str
    code: str
    api: str
    source: str
    count: int = 1

    @property
    def mark(self) -> Mark:
        """What tells these findings from others of the file."""
        return (self.code, self.api, self.source)


class Baseline(msgspec.Struct, frozen=True):
    """What was accepted, for which target. Files are named from the folder of the settings on, with slashes."""

    findings: tuple[Accepted, ...] = ()
    target: str = ""
    format: int = _FORMAT

    @property
    def count(self) -> int:
        """How many findings were accepted."""
        return sum(one.count for one in self.findings)


def read_baseline(content: bytes, path: str) -> Baseline:
    """A baseline from its file. Raises ConfigurationError."""
    try:
        found = msgspec.json.decode(content, type=Baseline)
    except msgspec.DecodeError as error:
        raise ConfigurationError(
            [say("{file}: is no baseline: {reason}", file=path, reason=str(error))]
        ) from None
    if found.format != _FORMAT:
        raise ConfigurationError(
            [
                say(
                    "{file}: is a baseline of format {format}, which this version does not know",
                    file=path,
                    format=found.format,
                )
            ]
        )
    return found


def baseline_text(baseline: Baseline) -> str:
    """The file of a baseline: one line for each finding, in a fixed order, so that branches can be merged."""
    encode = msgspec.json.Encoder().encode
    rows = ",\n".join("  " + encode(one).decode() for one in sorted(baseline.findings))
    head = f' "format": {baseline.format},\n "target": {encode(baseline.target).decode()},\n'
    return "{\n" + head + ' "findings": [' + (f"\n{rows}\n " if rows else "") + "]\n}\n"


def is_acceptable(finding: Finding, fails_from: Severity | None) -> bool:
    """Whether a finding belongs in a baseline: what people are shown, and what fails the run."""
    lowest = Severity.INFORMATION if fails_from is None else min(Severity.INFORMATION, fails_from)
    return finding.severity >= lowest and not finding.rule.startswith(_ABOUT_THE_TOOL)


class FileChange(msgspec.Struct, frozen=True):
    """How the findings of one file stand to the baseline: how many were accepted and are there now, how many of these
    are new, and how many of those are gone."""

    file: str
    accepted: int
    now: int
    new: int
    gone: int


class Matching:
    """Goes through the reports of a run and tells which findings the baseline has. `exists` says whether a file of the
    baseline is still there: what was accepted in one that is not may have moved with it."""

    def __init__(
        self, baseline: Baseline, root: str, fails_from: Severity | None, exists: Callable[[str], bool]
    ) -> None:
        self._root = root
        self._fails_from = fails_from
        self._accepted: dict[str, Counter[Mark]] = {}
        for one in baseline.findings:
            self._accepted.setdefault(one.file, Counter())[one.mark] += one.count
        self._missing = sorted(file for file in self._accepted if not exists(os.path.join(root, file)))  # noqa: PTH118
        self._left = {file: Counter(marks) for file, marks in self._accepted.items()}
        # of the files that were checked
        self._now: dict[str, Counter[Mark]] = {}
        self._known: dict[str, Counter[Mark]] = {}

    def known(self, report: FileReport) -> frozenset[int]:
        """The places in `report.findings` of those that the baseline has. To be called once for each file."""
        if not report.is_readable:
            return frozenset()  # what was accepted in it will be there again
        full = os.path.abspath(report.path)  # noqa: PTH100
        file = printable_path(os.path.relpath(full, self._root)).replace(os.sep, "/")
        sources = report.sources or ("",) * len(report.findings)
        marks = {
            index: (finding.rule, finding.api, source)
            for index, (finding, source) in enumerate(zip(report.findings, sources, strict=True))
            if is_acceptable(finding, self._fails_from)
        }
        found = self._same(marks, file) if file in self._accepted else self._moved(marks)
        self._now[file] = Counter(marks.values())
        self._known[file] = Counter(marks[index] for index in found)
        return frozenset(found)

    def _same(self, marks: Mapping[int, Mark], file: str) -> set[int]:
        """The findings that a file had before."""
        left = self._left[file]
        found = _taken(marks, left)
        for index in sorted(marks.keys() - found):
            code, api, _ = marks[index]
            edited = next((mark for mark in left if mark[:2] == (code, api) and left[mark] > 0), None)
            if edited is not None:
                left[edited] -= 1
                found.add(index)
        return found

    def _moved(self, marks: Mapping[int, Mark]) -> set[int]:
        """The findings that files had which are no more."""
        found: set[int] = set()
        for file in self._missing:
            found |= _taken({index: marks[index] for index in marks.keys() - found}, self._left[file])
        return found

    def changes(self) -> tuple[FileChange, ...]:
        """How each file that was checked or is no more stands to the baseline, those without findings left out."""
        rows = []
        for file in sorted({*self._now, *self._missing}):
            accepted, now, known, left = (
                counts.get(file, Counter()).total()
                for counts in (self._accepted, self._now, self._known, self._left)
            )
            if accepted or now:
                rows.append(FileChange(file, accepted, now, now - known, left))
        return tuple(rows)

    def as_found(self, target: str) -> Baseline:
        """The baseline in which everything is accepted that is there now. Files that were not checked keep theirs."""
        return self._baseline(self._now, target)

    def pruned(self, target: str) -> Baseline:
        """The baseline without what is gone, and with the lines of code as they are now."""
        return self._baseline(self._known, target)

    def _baseline(self, checked: Mapping[str, Counter[Mark]], target: str) -> Baseline:
        gone = {*checked, *self._missing}
        unchecked = {file: marks for file, marks in self._accepted.items() if file not in gone}
        rows = [
            Accepted(file, *mark, count)
            for marks_of in (unchecked, checked)
            for file, marks in marks_of.items()
            for mark, count in marks.items()
        ]
        return Baseline(tuple(sorted(rows)), target)


def _taken(marks: Mapping[int, Mark], left: Counter[Mark]) -> set[int]:
    """The keys of the marks that are left, each taken once."""
    found = set()
    for index in sorted(marks):
        if left[marks[index]] > 0:
            left[marks[index]] -= 1
            found.add(index)
    return found
