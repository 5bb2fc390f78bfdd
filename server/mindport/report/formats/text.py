"""`text`: one line for each row, the places that explain it, and how far the migration is."""

from __future__ import annotations

from mindport.report.formats.concise import ConciseWriter
from mindport.report.formats.format import Format, Row
from mindport.report.rows import FindingRow, Summary
from mindport.report.text import inventory_summary_lines, one_line, summary_lines
from mindport.report.visible import visible_name


class TextWriter(ConciseWriter):
    """Writes rows and the summary for people."""

    def row(self, row: Row) -> None:
        """Write one row with its related places."""
        super().row(row)
        for related in row.related if isinstance(row, FindingRow) else ():
            place = f"{visible_name(related.file)}:{related.line}:{related.column}"
            self.sink(self.destination.painter.dim(f"    {place}: {one_line(related.message)}") + "\n")

    def finish(self, summary: Summary, hidden: int = 0) -> None:
        """Write the summary."""
        lines = (
            inventory_summary_lines(summary)
            if self.destination.lists_references
            else summary_lines(summary, self.destination.painter, hidden)
        )
        for line in lines:
            self.sink(line + "\n")


FORMAT = Format(TextWriter, for_programs=False, lists_references=True)
