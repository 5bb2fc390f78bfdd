"""`gitlab`: a Code Quality report, which GitLab shows in merge requests.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format has the form."""

from __future__ import annotations

from mindport.report.convert import fingerprint
from mindport.report.formats.format import Destination, Format, Row, Writer
from mindport.report.json_text import json_text
from mindport.report.rows import FindingRow, Summary

_SEVERITIES = {"error": "major", "warning": "minor", "information": "info", "hint": "info"}


class GitLabWriter(Writer):
    """Writes a list of issues at the end."""

    def __init__(self, destination: Destination) -> None:
        super().__init__(destination)
        self._issues: list[dict[str, object]] = []

    def row(self, row: Row) -> None:
        """Keep one issue."""
        assert isinstance(row, FindingRow)  # the inventory is not offered in this form
        path = self.destination.path(row.file)
        begin, end = (row.line, row.end_line) if row.cell is None else (1, 1)
        where = "" if row.cell is None else f"cell {row.cell}, line {row.line}: "
        self._issues.append(
            {
                "description": f"{row.code} {where}{row.message}",
                "check_name": row.code,
                "fingerprint": fingerprint(path, row.fingerprint),
                "severity": _SEVERITIES[row.severity],
                "location": {"path": path, "lines": {"begin": begin, "end": end}},
            }
        )

    def finish(self, summary: Summary, hidden: int = 0) -> None:
        """Write the list."""
        self.sink(json_text(self._issues))


FORMAT = Format(GitLabWriter)
