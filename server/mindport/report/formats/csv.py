"""`csv`: a table for spreadsheets, one line for each row; the summary is left out."""

from __future__ import annotations

import csv
import io

import msgspec

from mindport.report.formats.format import Destination, Format, Row, Writer
from mindport.report.rows import FindingRow, InventoryRow, Summary
from mindport.report.spreadsheet import cell


class CsvWriter(Writer):
    """Writes the keys of the rows, then their values."""

    def __init__(self, destination: Destination) -> None:
        super().__init__(destination)
        kind = InventoryRow if destination.lists_references else FindingRow
        # What holds several values has no place in a table.
        self._keys = [
            field.name for field in msgspec.structs.fields(kind) if field.name not in ("related", "change")
        ]
        self._write(self._keys)

    def row(self, row: Row) -> None:
        """Write one line."""
        self._write([cell(getattr(row, key)) for key in self._keys])

    def finish(self, summary: Summary, hidden: int = 0) -> None:
        """Nothing comes after the rows."""

    def _write(self, values: list[object] | list[str]) -> None:
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(values)
        self.sink(line.getvalue())


FORMAT = Format(CsvWriter, shows_hints=True, lists_references=True)
