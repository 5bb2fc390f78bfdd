"""The four output formats behind one face: rows go in as they are found, text comes out through the host's
`sink`."""

from __future__ import annotations

import enum
from collections.abc import Callable

import msgspec

from mindport.model.finding import Severity
from mindport.report.rows import (
    FORMAT_VERSION,
    CheckOutput,
    FindingRow,
    InventoryOutput,
    InventoryRow,
    Summary,
)
from mindport.report.text import (
    Painter,
    finding_line,
    inventory_line,
    inventory_summary_lines,
    one_line,
    summary_lines,
)
from mindport.report.visible import visible_name

Row = FindingRow | InventoryRow
Sink = Callable[[str], None]


class OutputFormat(enum.Enum):
    """The forms that results can be written in. The value is the word of the command line."""

    TEXT = "text"
    CONCISE = "concise"
    JSON = "json"
    JSON_LINES = "jsonl"

    @property
    def is_for_programs(self) -> bool:
        """Whether everything is written, however small."""
        return self in (OutputFormat.JSON, OutputFormat.JSON_LINES)


class Writer:
    """Writes rows as text, and the summary at the end unless `is_concise`. `lowest` is the least severity of
    findings that is written; the host leaves out what is below, and says how much that was."""

    def __init__(
        self,
        sink: Sink,
        painter: Painter,
        lowest: Severity,
        is_concise: bool = False,
        is_inventory: bool = False,
    ) -> None:
        self.lowest = lowest
        self._sink = sink
        self._painter = painter
        self._is_concise = is_concise
        self._is_inventory = is_inventory

    def row(self, row: Row) -> None:
        """Write one row."""
        if isinstance(row, InventoryRow):
            self._sink(inventory_line(row, self._painter) + "\n")
            return
        self._sink(finding_line(row, self._painter) + "\n")
        if not self._is_concise:
            for related in row.related:
                place = f"{visible_name(related.file)}:{related.line}:{related.column}"
                self._sink(self._painter.dim(f"    {place}: {one_line(related.message)}") + "\n")

    def finish(self, summary: Summary, hidden: int = 0) -> None:
        """Write what comes after the last row; `hidden` findings were counted but not written."""
        if self._is_concise:
            return
        lines = (
            inventory_summary_lines(summary)
            if self._is_inventory
            else summary_lines(summary, self._painter, hidden)
        )
        for line in lines:
            self._sink(line + "\n")


class JsonWriter(Writer):
    """Writes one document at the end; `output` says which of the two it is."""

    def __init__(self, sink: Sink, output: type[CheckOutput] | type[InventoryOutput]) -> None:
        super().__init__(sink, Painter(False), Severity.HINT)
        self._output = output
        self._rows: list[Row] = []

    def row(self, row: Row) -> None:
        """Keep one row."""
        self._rows.append(row)

    def finish(self, summary: Summary, hidden: int = 0) -> None:
        """Write the document."""
        rows = "findings" if self._output is CheckOutput else "references"
        document = {"format": FORMAT_VERSION, rows: self._rows, "summary": summary}
        self._sink(msgspec.json.format(msgspec.json.encode(document), indent=1).decode() + "\n")


class JsonLinesWriter(Writer):
    """Writes every row as one line of JSON as soon as it is known, the summary last."""

    def __init__(self, sink: Sink) -> None:
        super().__init__(sink, Painter(False), Severity.HINT)
        self._encode = msgspec.json.Encoder().encode

    def row(self, row: Row) -> None:
        """Write one row."""
        self._sink(self._encode(row).decode() + "\n")

    def finish(self, summary: Summary, hidden: int = 0) -> None:
        """Write the summary."""
        self._sink(self._encode(summary).decode() + "\n")


def writer_for(
    form: OutputFormat,
    sink: Sink,
    output: type[CheckOutput] | type[InventoryOutput],
    painter: Painter,
    lowest: Severity,
) -> Writer:
    """The writer of a format. `lowest` is the least severity that text for people shows one by one."""
    if form is OutputFormat.JSON:
        return JsonWriter(sink, output)
    if form is OutputFormat.JSON_LINES:
        return JsonLinesWriter(sink)
    return Writer(sink, painter, lowest, form is OutputFormat.CONCISE, output is InventoryOutput)
