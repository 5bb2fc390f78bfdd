"""Rows in, text out: every format, what it shows, what it only counts, and that programs can read it back."""

from __future__ import annotations

import msgspec
import pytest

from mindport.model.finding import Finding, RelatedPlace, Severity
from mindport.model.span import Span
from mindport.model.verdict import Applicability, Verdict
from mindport.report.convert import finding_row, printable_path
from mindport.report.formats.discover import format_called
from mindport.report.formats.format import Destination, Writer
from mindport.report.rows import (
    CheckOutput,
    FindingRow,
    InventoryOutput,
    InventoryRow,
    Summary,
    TargetRow,
    output_schemas,
)
from mindport.report.summary import SummaryCounts
from mindport.report.text import Painter

TARGET = TargetRow(
    root="/p",
    version="2.10.0",
    device="CPU",
    mode="pynative",
    reasons=("version 2.10.0: set", "device CPU: set"),
)


def finding(severity: Severity, message: str = "differs", fix: Applicability | None = None) -> FindingRow:
    code = {1: "MP110", 2: "MP109", 3: "MP106", 4: "MP101"}[severity]
    return finding_row("m.py", Finding(code, severity, Span(2, 4, 2, 9), message, "torch.relu"), fix)


ROWS = [
    finding(Severity.ERROR, "momentum counts the other way"),
    finding(Severity.WARNING, "no `out`", Applicability.UNSAFE),
    finding(Severity.INFORMATION),
    finding(Severity.HINT, "plain rename", Applicability.SAFE),
    finding(Severity.HINT, "plain rename", Applicability.DISPLAY),
]
INVENTORY = InventoryRow(
    file="m.py",
    line=3,
    column=5,
    end_line=4,
    end_column=2,
    name_line=4,
    name_column=1,
    cell=None,
    api="torch.Tensor.view",
    form="method",
    confidence="inferred",
    verdict="renamed",
    target=str(TARGET),
    fixable="safe",
    reason="",
)


def add(counts: SummaryCounts, row: FindingRow) -> None:
    fix = None if row.fix is None else Applicability(row.fix)
    counts.add_finding(row.code, Severity[row.severity.upper()], fix)


def summary_of(rows: list[FindingRow]) -> Summary:
    counts = SummaryCounts([TARGET])
    counts.add_file(suppressed=2)
    counts.add_file()
    counts.add_reference("torch.relu", Verdict.SAME, None, 3)
    counts.add_reference("torch.cat", Verdict.RENAMED, Applicability.SAFE)
    counts.add_reference("torch.dot", Verdict.RENAMED, Applicability.UNSAFE)
    counts.add_reference("torch.b", Verdict.NONE, Applicability.SAFE, 2)
    counts.add_reference("torch.a", Verdict.NONE, None, 2)
    counts.add_reference("torch.c", Verdict.NONE, None, 5)
    for row in rows:
        add(counts, row)
    return counts.summary()


def writer_of(name: str, parts: list[str], colour: bool = False, references: bool = False) -> Writer:
    return format_called(name).writer(Destination(parts.append, Painter(colour), references))


def written(name: str, lowest: Severity | None = None, colour: bool = False) -> str:
    parts: list[str] = []
    writer = writer_of(name, parts, colour)
    lowest = lowest or (Severity.HINT if format_called(name).shows_hints else Severity.INFORMATION)
    hidden = 0
    for row in ROWS:
        if Severity[row.severity.upper()] >= lowest:
            writer.row(row)
        else:
            hidden += 1
    writer.finish(summary_of(ROWS), hidden)
    return "".join(parts)


def test_text() -> None:
    assert written("text") == (
        "m.py:2:5: error MP101 momentum counts the other way\n"
        "m.py:2:5: warning MP106 [-] no `out`\n"
        "m.py:2:5: information MP109 differs\n"
        "2 hints not shown: plain renames and guesses (--min-severity hint shows them)\n"
        "1 error, 1 warning, 1 information, 2 hints in 2 files (2 suppressed)\n"
        "14 references to torch in 2 files, 29 % work as they are or after a safe fix: 3 same, 2 renamed, "
        "9 none\n"
        "Without an equivalent: torch.c (5), torch.a (2), torch.b (2)\n"
        "Fixable with `mindport fix`: 1 [*]; with `--unsafe-fixes` also 1 [-]\n"
        "Target: MindSpore 2.10.0 on CPU, PyNative (version 2.10.0: set; device CPU: set)\n"
    )


def test_text_with_hints() -> None:
    text = written("text", Severity.HINT)
    assert "m.py:2:5: hint MP110 [*] plain rename\nm.py:2:5: hint MP110 plain rename\n" in text
    assert "not shown" not in text


def test_concise_has_findings_only() -> None:
    assert written("concise") == "".join(line + "\n" for line in written("text").splitlines()[:3])


def test_colours_only_where_asked() -> None:
    assert "\x1b" not in written("text")
    assert "\x1b[31merror MP101\x1b[0m" in written("text", colour=True)
    assert "\x1b" not in written("json", colour=True)


def test_json_has_everything_and_can_be_read_back() -> None:
    output = msgspec.json.decode(written("json"), type=CheckOutput)
    assert list(output.findings) == ROWS
    assert output.summary == summary_of(ROWS)
    assert output.format == 1


def test_json_lines() -> None:
    lines = written("jsonl").splitlines()
    read = [msgspec.json.decode(line, type=FindingRow | InventoryRow | Summary) for line in lines]
    assert read == [*ROWS, summary_of(ROWS)]


def test_inventory() -> None:
    parts: list[str] = []
    for name in ("text", "concise", "json", "jsonl"):
        writer = writer_of(name, parts, references=True)
        writer.row(INVENTORY)
        if name != "text":
            writer.finish(summary_of([]))
    text, concise, json, json_line, *_ = "\0".join(parts).split("\0")
    assert text == concise == "m.py:3:5: torch.Tensor.view method, inferred renamed (safe fix)\n"
    assert msgspec.json.decode(json, type=InventoryOutput).references == (INVENTORY,)
    assert msgspec.json.decode(json_line, type=InventoryRow) == INVENTORY


def test_summary_of_nothing() -> None:
    parts: list[str] = []
    writer_of("text", parts).finish(SummaryCounts([TARGET]).summary())
    assert "".join(parts).startswith("No findings in 0 files\nTarget: MindSpore 2.10.0 on CPU, PyNative (")


@pytest.mark.parametrize(
    ("severity", "fails"),
    [(Severity.HINT, False), (Severity.INFORMATION, False), (Severity.WARNING, True), (Severity.ERROR, True)],
)
def test_only_warnings_and_errors_fail(severity: Severity, fails: bool) -> None:
    counts = SummaryCounts([TARGET])
    add(counts, finding(severity))
    assert counts.has_findings_from(Severity.WARNING) is fails
    assert counts.has_findings_from(severity)
    assert not counts.has_findings_from(None)


def test_a_message_cannot_forge_lines() -> None:
    parts: list[str] = []
    writer = writer_of("concise", parts)
    writer.row(finding(Severity.ERROR, "a\nb.py:1:1: error\x1b[2J 你😀"))
    assert parts == ["m.py:2:5: error MP101 a b.py:1:1: error [2J 你😀\n"]


def test_related_places() -> None:
    related = (RelatedPlace("n.py", Span(7, 0, 7, 1), "defined here"),)
    row = finding_row(
        "m.py", Finding("MP106", Severity.WARNING, Span(1, 0, 1, 1), "x", related=related), None
    )
    parts: list[str] = []
    writer_of("text", parts).row(row)
    assert parts[1] == "    n.py:7:1: defined here\n"
    assert row.related[0].line == 7


def test_names_that_are_not_text_can_be_written() -> None:
    path = b"caf\xe9.py".decode("utf-8", "surrogateescape")
    assert printable_path(path) == "caf\ufffd.py"
    assert printable_path("模型.py") == "模型.py"


def test_schemas_name_every_key() -> None:
    schemas = output_schemas()
    assert set(schemas) == {"check", "inventory", "line"}
    keys = set(schemas["inventory"]["$defs"]["InventoryRow"]["properties"])
    assert keys == {"type", *InventoryRow.__struct_fields__}
