"""What an engineer works from: every finding from information up, those that say the same together, the silent ones
first."""

from __future__ import annotations

from collections.abc import Iterable

from mindport.model.finding import Finding, Severity
from mindport.model.verdict import Applicability
from mindport.report.migration.overview import SILENT
from mindport.report.migration.rows import WorkRow
from mindport.report.program_rows import PlaceRow

_FAILURES = "MP90"  # told among the problems


def work_rows(findings: Iterable[tuple[Finding, Applicability | None, PlaceRow]]) -> tuple[WorkRow, ...]:
    """The rows for findings with the best that may be done about each and where a reader finds it: silent differences,
    then the worst, then the most frequent."""
    groups: dict[tuple[str, str, int, str], list[PlaceRow]] = {}
    for finding, fix, place in findings:
        if finding.severity >= Severity.INFORMATION and not finding.rule.startswith(_FAILURES):
            key = (finding.rule, finding.message, int(finding.severity), "no" if fix is None else fix.value)
            groups.setdefault(key, []).append(place)
    apis = {(finding.rule, finding.message): finding.api for finding, _, _ in findings}
    rows = [
        WorkRow(
            code=code,
            api=apis[code, message],
            message=message,
            severity=Severity(severity).label,
            fix=fix,
            is_silent=code == SILENT,
            places=tuple(places),
        )
        for (code, message, severity, fix), places in groups.items()
    ]
    worst = {severity.label: int(severity) for severity in Severity}
    return tuple(
        sorted(rows, key=lambda row: (not row.is_silent, -worst[row.severity], -len(row.places), row.message))
    )
