"""`junit`: a suite for each file that has findings and a case for each of them, for servers that show test results.
What does not fail the run is a skipped case."""

from __future__ import annotations

from mindport import __version__
from mindport.model.finding import Severity
from mindport.report.formats.format import ByFileWriter, Format
from mindport.report.rows import FindingRow, Summary
from mindport.report.text import Painter, finding_line, one_line

_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})


class JUnitWriter(ByFileWriter):
    """Writes one document at the end."""

    def finish(self, summary: Summary, hidden: int = 0) -> None:
        """Write the document."""
        lines = ['<?xml version="1.0" encoding="utf-8"?>', f'<testsuites name="mindport {__version__}">']
        for file, rows in self.files.items():
            failed = sum(map(self._fails, rows))
            name = _text(self.destination.path(file))
            lines.append(
                f'  <testsuite name="{name}" tests="{len(rows)}" failures="{failed}" errors="0"'
                f' skipped="{len(rows) - failed}">'
            )
            for row in rows:
                cell = "" if row.cell is None else f"cell {row.cell}:"
                kind = "failure" if self._fails(row) else "skipped"
                text = _text(finding_line(row, Painter(False)))
                lines += (
                    f'    <testcase classname="{name}" name="{row.code} {cell}{row.line}:{row.column}">',
                    f'      <{kind} type="{row.code}" message="{_text(row.message)}">{text}</{kind}>',
                    "    </testcase>",
                )
            lines.append("  </testsuite>")
        if not self.files:  # servers take a document without cases for a run that failed
            lines += (
                '  <testsuite name="mindport" tests="1" failures="0" errors="0" skipped="0">',
                '    <testcase classname="mindport" name="no findings"/>',
                "  </testsuite>",
            )
        self.sink("\n".join([*lines, "</testsuites>"]) + "\n")

    def _fails(self, row: FindingRow) -> bool:
        lowest = self.destination.fails_from
        return lowest is not None and Severity[row.severity.upper()] >= lowest


def _text(text: str) -> str:
    """A text between tags or quotes. Control characters have no place in XML."""
    return one_line(text).translate(_MARKUP)


FORMAT = Format(JUnitWriter)
