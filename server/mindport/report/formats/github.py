"""`github`: workflow commands, which GitHub shows at the lines of a pull request, then the summary.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions has the form. Whatever stands in a log
may be a command: nothing from the code begins a line, and what would be read as one is broken up."""

from __future__ import annotations

import re

from mindport.report.formats.format import Format, Row, Writer
from mindport.report.rows import FindingRow, Summary
from mindport.report.text import Painter, finding_line, one_line, summary_lines

_KINDS = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}
_VALUE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})
_OLD_COMMAND = re.compile(r"##(?=\[)")  # the runner still looks for it in the whole line


class GitHubWriter(Writer):
    """Writes one command for each finding."""

    def row(self, row: Row) -> None:
        """Write one command."""
        assert isinstance(row, FindingRow)  # the inventory is not offered in this form
        place = {"title": f"mindport {row.code}", "file": one_line(self.destination.path(row.file))}
        if row.cell is None:  # lines of a notebook are none of its file
            place |= {"line": str(row.line), "endLine": str(row.end_line)}
            if row.line == row.end_line:
                place |= {"col": str(row.column), "endColumn": str(row.end_column)}
        properties = ",".join(f"{name}={value.translate(_PROPERTY)}" for name, value in place.items())
        text = finding_line(row, Painter(False)).translate(_VALUE)
        self.sink(f"::{_KINDS[row.severity]} {properties}::{_broken_up(text)}\n")

    def finish(self, summary: Summary, hidden: int = 0) -> None:
        """Write the summary as text."""
        for line in summary_lines(summary, Painter(False), hidden):
            self.sink(_broken_up(one_line(line)) + "\n")


def _broken_up(line: str) -> str:
    """A line in which nothing is read as a command."""
    line = _OLD_COMMAND.sub("# #", line)
    return f"- {line}" if line.lstrip().startswith("::") else line


FORMAT = Format(GitHubWriter, for_programs=False)
