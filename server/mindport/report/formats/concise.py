"""`concise`: one line for each row and nothing else."""

from __future__ import annotations

from mindport.report.formats.format import Format, Row, Writer
from mindport.report.rows import InventoryRow, Summary
from mindport.report.text import finding_line, inventory_line


class ConciseWriter(Writer):
    """Writes rows as lines for people."""

    def row(self, row: Row) -> None:
        """Write one line."""
        painter = self.destination.painter
        line = inventory_line(row, painter) if isinstance(row, InventoryRow) else finding_line(row, painter)
        self.sink(line + "\n")

    def finish(self, summary: Summary, hidden: int = 0) -> None:
        """Nothing comes after the rows."""


FORMAT = Format(ConciseWriter, for_programs=False, lists_references=True)
