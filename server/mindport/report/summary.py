"""Adds up what the files of a run hold, so that the end of the output says how far the migration is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from mindport.checking.counting import KINDS_APART, is_ready
from mindport.checking.outcome import FileReport
from mindport.checking.program_forecast import ProgramForecast
from mindport.model.finding import Severity
from mindport.model.verdict import Applicability, Verdict
from mindport.report.programs import program_rows
from mindport.report.rows import ApiCount, RuleCount, Summary, TargetRow

TOP_APIS = 10


class SummaryCounts:
    """Counts while the reports of a run come in; `summary` gives the result at any time."""

    def __init__(self, targets: Iterable[TargetRow]) -> None:
        self._targets = tuple(targets)
        self._files = 0
        self._suppressed = 0
        self._ready = 0
        self._in_baseline = 0
        self._verdicts: Counter[Verdict] = Counter()
        self._apart: Counter[str] = Counter()
        self._findings: Counter[tuple[str, Severity, Applicability | None]] = Counter()
        self._without: Counter[str] = Counter()
        self._programs: list[ProgramForecast] = []

    def add_file(self, suppressed: int = 0) -> None:
        """Count a file that was looked at, and its suppressed findings."""
        self._files += 1
        self._suppressed += suppressed

    def add_reference(
        self, api: str, verdict: Verdict, fix: Applicability | None, count: int = 1, apart: str = ""
    ) -> None:
        """Count references of one API with one answer; those `apart` do not count for the readiness."""
        if apart:
            self._apart[apart] += count
            return
        self._verdicts[verdict] += count
        if is_ready(verdict, fix):
            self._ready += count
        if verdict is Verdict.NONE:
            self._without[api] += count

    def add_finding(self, code: str, severity: Severity, fix: Applicability | None) -> None:
        """Count one finding, shown or not."""
        # One counter for all three: a run over a large project comes here a hundred thousand times.
        self._findings[code, severity, fix] += 1

    def add_report(
        self, report: FileReport, accepted: Collection[int] = (), ignored: Collection[int] = ()
    ) -> None:
        """Count all that the report of one file holds, but of the findings at the places in `accepted` only that there
        are so many in the baseline, of those in `ignored` that they are suppressed now."""
        self.add_file(report.suppressed + len(ignored))
        if report.program is not None:
            self._programs.append(report.program)
        for tally in report.tallies:
            self.add_reference(tally.api, tally.verdict, tally.fix, tally.count, tally.apart)
        self._in_baseline += len(accepted)
        for index, (finding, fix) in enumerate(zip(report.findings, report.fixes, strict=True)):
            if index not in accepted and index not in ignored:
                self.add_finding(finding.rule, finding.severity, fix)

    def has_findings_from(self, lowest: Severity | None) -> bool:
        """Whether there is a finding of this severity or worse; never for None."""
        return lowest is not None and any(severity >= lowest for _, severity, _ in self._findings)

    def by_rule(self) -> tuple[RuleCount, ...]:
        """How often each rule was broken, the most frequent first."""
        counts: dict[str, Counter[Applicability | None]] = {}
        for (code, _, fix), count in self._findings.items():
            counts.setdefault(code, Counter())[fix] += count
        rows = [
            RuleCount(
                code=code,
                count=fixes.total(),
                safe=fixes[Applicability.SAFE],
                unsafe=fixes[Applicability.UNSAFE],
            )
            for code, fixes in counts.items()
        ]
        return tuple(sorted(rows, key=lambda row: (-row.count, row.code)))

    def summary(self) -> Summary:
        """The numbers so far, in a fixed order."""
        codes: Counter[str] = Counter()
        severities: Counter[str] = Counter()
        fixes: Counter[str] = Counter()
        for (code, severity, fix), count in self._findings.items():
            codes[code] += count
            severities[severity.label] += count
            fixes["no" if fix is None else fix.value] += count
        without = sorted(self._without.items(), key=lambda item: (-item[1], item[0]))[:TOP_APIS]
        return Summary(
            files=self._files,
            references=sum(self._verdicts.values()),
            ready=self._ready,
            by_verdict={verdict.value: self._verdicts[verdict] for verdict in Verdict},
            by_severity={word: severities[word] for word in ("error", "warning", "information", "hint")},
            by_code=dict(sorted(codes.items())),
            fixable={word: fixes[word] for word in ("safe", "unsafe", "display", "no")},
            suppressed=self._suppressed,
            without_equivalent=tuple(ApiCount(api=api, count=count) for api, count in without),
            targets=self._targets,
            programs=tuple(program_rows(self._programs)),
            in_baseline=self._in_baseline,
            apart={kind: self._apart[kind] for kind in KINDS_APART if self._apart[kind]},
        )
