"""`full`: what `text` has, and under each line the code that it speaks of, as compilers show it."""

from __future__ import annotations

from mindport.report.formats.format import Format, Row
from mindport.report.formats.text import TextWriter
from mindport.report.rows import FindingRow, RelatedRow
from mindport.report.text import finding_line, one_line
from mindport.report.visible import terminal_columns, visible_name

_LONGEST = 160  # characters of a line; generated code has lines of megabytes


class FullWriter(TextWriter):
    """Writes rows with excerpts, and the summary."""

    def row(self, row: Row) -> None:
        """Write one row and the code, then the places that explain it and theirs."""
        if not isinstance(row, FindingRow):
            super().row(row)
            return
        painter = self.destination.painter
        self.sink(finding_line(row, painter) + "\n")
        self._excerpt(row, row.cell is not None, row.severity)
        for related in row.related:
            place = f"{visible_name(related.file)}:{related.line}:{related.column}"
            self.sink(painter.dim(f"  {place}: {one_line(related.message)}") + "\n")
            self._excerpt(related, False, "hint")
        self.sink("\n")

    def _excerpt(self, place: FindingRow | RelatedRow, is_in_cell: bool, severity: str) -> None:
        # Lines of a cell are none of its file; what stands in the row has lost its indentation.
        code = "" if is_in_cell else self.destination.code(place.file, place.line)
        marked = bool(code) and len(code) <= _LONGEST
        if not code and isinstance(place, FindingRow):
            code = place.source
        if not code:
            return
        painter = self.destination.painter
        number = str(place.line)
        shown = one_line(code.expandtabs(4))[:_LONGEST]
        self.sink(f"  {painter.dim(f'{number} |')} {shown}\n")
        if marked:
            marks = _marks(code, place)
            self.sink(f"  {painter.dim(' ' * len(number) + ' |')} {painter.severity(marks, severity)}\n")


def _marks(code: str, place: FindingRow | RelatedRow) -> str:
    """Signs below what is meant of a line."""
    end = place.end_column - 1 if place.end_line == place.line else len(code)
    before, meant = (code[: place.column - 1].expandtabs(4), code[place.column - 1 : end])
    return " " * terminal_columns(before) + "^" * max(1, terminal_columns(meant))


FORMAT = Format(FullWriter, for_programs=False)
