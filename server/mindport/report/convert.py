"""Inner data to rows: the one place where 0-based columns become 1-based ones."""

from __future__ import annotations

import functools
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import cast

import msgspec

from mindport.checking.outcome import FileReport, ReferenceRow, WrittenFix
from mindport.model.finding import Finding
from mindport.model.span import Edit, Span
from mindport.model.target import Target
from mindport.model.verdict import Applicability
from mindport.report.rows import ChangeRow, EditRow, FindingRow, InventoryRow, RelatedRow, SeverityWord
from mindport.source.discovery import printable_path
from mindport.source.notebook import Cell, place_in_cell


def finding_rows(report: FileReport) -> Iterator[tuple[Finding, Callable[[], FindingRow]]]:
    """The findings of a file, each with what makes its row, as rows of findings that nobody shows need not be made."""
    seen: Counter[tuple[str, str, str]] = Counter()
    sources = report.sources or ("",) * len(report.findings)
    written = report.written or (None,) * len(report.findings)
    for finding, fix, source, change in zip(report.findings, report.fixes, sources, written, strict=True):
        key = (finding.rule, finding.api, source)
        number = seen[key]
        seen[key] += 1
        yield (
            finding,
            functools.partial(finding_row, report.path, finding, fix, report.cells, source, number, change),
        )


def finding_row(
    path: str,
    finding: Finding,
    fix: Applicability | None,
    cells: tuple[Cell, ...] = (),
    source: str = "",
    number: int = 0,
    change: WrittenFix | None = None,
) -> FindingRow:
    """The row of a finding; `fix` is the best that may be done about it, `cells` are those of a notebook. `number`
    counts the findings before it that say the same of the same line of code, `source`. `change` is its fix, where
    that was written out."""
    cell, span = place_in_cell(finding.span, cells)
    line, column, end_line, end_column = places(span)
    return FindingRow(
        file=printable_path(path),
        cell=cell,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        code=finding.rule,
        severity=cast(SeverityWord, finding.severity.label),
        message=finding.message,
        api=finding.api,
        confidence=finding.confidence.value,
        fix=None if fix is None else fix.value,
        depends_on=finding.depends_on,
        related=tuple(_related_row(place.path, place.span, place.message) for place in finding.related),
        source=source,
        fingerprint=fingerprint(finding.rule, finding.api, source, number),
        change=msgspec.UNSET if change is None else _change_row(change),
    )


def fingerprint(*parts: object) -> str:
    """What tells a finding from others, wherever its line moves: the same parts give the same."""
    content = "\0".join(map(str, parts)).encode("utf-8", "backslashreplace")
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def places(span: Span) -> tuple[int, int, int, int]:
    """Line, column, end line and end column with columns counted from 1."""
    return span.line, span.column + 1, span.end_line, span.end_column + 1


def _change_row(change: WrittenFix) -> ChangeRow:
    return ChangeRow(
        title=change.title,
        edits=tuple(_edit_row(edit) for edit in change.edits),
        reason=change.reason,
    )


def _edit_row(edit: Edit) -> EditRow:
    line, column, end_line, end_column = places(edit.span)
    return EditRow(line=line, column=column, end_line=end_line, end_column=end_column, text=edit.text)


def _related_row(path: str, span: Span, message: str) -> RelatedRow:
    line, column, end_line, end_column = places(span)
    return RelatedRow(
        file=printable_path(path),
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        message=message,
    )


def inventory_row(
    path: str, reference: ReferenceRow, target: Target, cells: tuple[Cell, ...] = ()
) -> InventoryRow:
    """The row of one reference; `cells` are those of a notebook."""
    use = reference.use
    cell, span = place_in_cell(use.span, cells)
    _, name_span = place_in_cell(use.name_span, cells)
    line, column, end_line, end_column = places(span)
    return InventoryRow(
        file=printable_path(path),
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        name_line=name_span.line,
        name_column=name_span.column + 1,
        cell=cell,
        api=use.api,
        form=use.form.value,
        confidence=use.confidence.value,
        verdict=reference.verdict.value,
        target=str(target),
        fixable="no" if reference.fix is None else reference.fix.value,
        reason=reference.reason,
    )
