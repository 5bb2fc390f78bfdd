"""`jsonl`: every row as one line of JSON as soon as it is known, the summary last; docs/schemas/line.json."""

from __future__ import annotations

import msgspec

from mindport.report.formats.format import Destination, Format, Row, Writer
from mindport.report.rows import Summary


class JsonLinesWriter(Writer):
    """Writes lines of JSON."""

    def __init__(self, destination: Destination) -> None:
        super().__init__(destination)
        self._encode = msgspec.json.Encoder().encode

    def row(self, row: Row) -> None:
        """Write one row."""
        self.sink(self._encode(row).decode() + "\n")

    def finish(self, summary: Summary, hidden: int = 0) -> None:
        """Write the summary."""
        self.sink(self._encode(summary).decode() + "\n")


FORMAT = Format(JsonLinesWriter, shows_hints=True, lists_references=True)
