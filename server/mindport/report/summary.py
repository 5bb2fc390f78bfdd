"""Adds up what the files of a run hold, so that the end of the output says how far the migration is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from mindport.model.verdict import Applicability, Verdict
from mindport.report.rows import ApiCount, FindingRow, Summary, TargetRow

TOP_APIS = 10
_READY_AFTER_FIX = (Verdict.RENAMED, Verdict.EQUIVALENT, Verdict.COMPOSED, Verdict.DIFFERS)


class SummaryCounts:
    """Counts while the reports of a run come in; `summary` gives the result at any time."""

    def __init__(self, targets: Iterable[TargetRow]) -> None:
        self._targets = tuple(targets)
        self._files = 0
        self._suppressed = 0
        self._ready = 0
        self._verdicts: Counter[Verdict] = Counter()
        self._severities: Counter[str] = Counter()
        self._codes: Counter[str] = Counter()
        self._fixes: Counter[str] = Counter()
        self._without: Counter[str] = Counter()

    def add_file(self, suppressed: int = 0) -> None:
        """Count a file that was looked at, and its suppressed findings."""
        self._files += 1
        self._suppressed += suppressed

    def add_reference(self, api: str, verdict: Verdict, fix: Applicability | None, count: int = 1) -> None:
        """Count references of one API with one answer."""
        self._verdicts[verdict] += count
        if verdict is Verdict.SAME or (verdict in _READY_AFTER_FIX and fix is Applicability.SAFE):
            self._ready += count
        if verdict is Verdict.NONE:
            self._without[api] += count

    def add_finding(self, row: FindingRow) -> None:
        """Count one finding, shown or not."""
        self._severities[row.severity] += 1
        self._codes[row.code] += 1
        self._fixes[row.fix or "no"] += 1

    @property
    def has_failures(self) -> bool:
        """Whether a finding is a warning or worse, so that the run fails."""
        return bool(self._severities["warning"] or self._severities["error"])

    def summary(self) -> Summary:
        """The numbers so far, in a fixed order."""
        without = sorted(self._without.items(), key=lambda item: (-item[1], item[0]))[:TOP_APIS]
        return Summary(
            files=self._files,
            references=sum(self._verdicts.values()),
            ready=self._ready,
            by_verdict={verdict.value: self._verdicts[verdict] for verdict in Verdict},
            by_severity={
                word: self._severities[word] for word in ("error", "warning", "information", "hint")
            },
            by_code=dict(sorted(self._codes.items())),
            fixable={word: self._fixes[word] for word in ("safe", "unsafe", "display", "no")},
            suppressed=self._suppressed,
            without_equivalent=tuple(ApiCount(api=api, count=count) for api, count in without),
            targets=self._targets,
        )
