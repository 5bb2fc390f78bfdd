"""`json`: one document, docs/schemas/check.json and inventory.json."""

from __future__ import annotations

from mindport.report.formats.format import Destination, Format, Row, Writer
from mindport.report.json_text import json_text
from mindport.report.rows import FORMAT_VERSION, Summary


class JsonWriter(Writer):
    """Writes one document at the end."""

    def __init__(self, destination: Destination) -> None:
        super().__init__(destination)
        self._rows: list[Row] = []

    def row(self, row: Row) -> None:
        """Keep one row."""
        self._rows.append(row)

    def finish(self, summary: Summary, hidden: int = 0) -> None:
        """Write the document."""
        rows = "references" if self.destination.lists_references else "findings"
        document = {"format": FORMAT_VERSION, rows: self._rows, "summary": summary}
        self.sink(json_text(document))


FORMAT = Format(JsonWriter, shows_hints=True, lists_references=True)
