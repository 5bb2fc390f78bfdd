"""Every format of findings: as it was reviewed, as its schema has it, and with nothing of the code in it that would be
read as markup or as a command. A file in `expected` that is gone is written anew, to be reviewed."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from lxml import etree

from mindport.checking.outcome import FileReport, WrittenFix
from mindport.model.finding import Finding, RelatedPlace, Severity
from mindport.model.span import Edit, Span
from mindport.model.target import Device, Mode, Target, Version
from mindport.model.verdict import Applicability
from mindport.report.convert import finding_rows
from mindport.report.formats.discover import format_called, format_names
from mindport.report.formats.format import Destination
from mindport.report.rows import FindingRow, TargetRow
from mindport.report.summary import SummaryCounts
from mindport.source.notebook import Cell

HERE = Path(__file__).parent
SCHEMAS = HERE / "schemas"
TARGET = TargetRow.of("/p", Target(Version.parse("2.10.0"), Device.CPU, Mode.PYNATIVE), ("set",))
NASTY = "a % b\r\n::error::x,y: <b>&amp;</b> [here](1) {0} ##[error]z \x1b[2J 你😀 ]]>"
REPORTS = (
    FileReport(
        "src/m.py",
        (
            Finding("MP101", Severity.ERROR, Span(2, 4, 2, 9), "momentum counts the other way", "torch.a"),
            Finding(
                "MP106",
                Severity.WARNING,
                Span(7, 0, 9, 1),
                "no `out`",
                "torch.b",
                related=(RelatedPlace("src/n.py", Span(3, 1, 3, 2), "defined here"),),
            ),
            Finding("MP109", Severity.INFORMATION, Span(11, 0, 11, 1), "differs", "torch.c"),
            Finding("MP110", Severity.HINT, Span(12, 0, 12, 1), "a plain rename", "torch.d"),
        ),
        (None, Applicability.UNSAFE, None, Applicability.SAFE),
        sources=("x = torch.a(y)", "x = torch.b(", "torch.c", "=torch.d"),
        written=(
            None,
            WrittenFix(
                "Write [b](1) {0}", (Edit(Span(1, 0, 1, 0), "import m\n"), Edit(Span(7, 0, 9, 1), "m.b 😀"))
            ),
            None,
            WrittenFix(reason="not written out: it goes with a training step"),
        ),
    ),
    FileReport(
        "n,b: 100%.ipynb",
        (Finding("MP102", Severity.ERROR, Span(12, 2, 12, 3), "gone", "torch.e"),),
        (None,),
        cells=(Cell(1, 1), Cell(3, 11)),
        sources=("torch.e()",),
    ),
    FileReport("::error::é.py", (Finding("MP901", Severity.ERROR, Span(1, 0, 1, 0), NASTY),), (None,)),
)


def written(name: str, reports: Sequence[FileReport] = REPORTS) -> str:
    parts: list[str] = []
    writer = format_called(name).writer(Destination(parts.append, root=str(Path.cwd())))
    counts = SummaryCounts([TARGET])
    for report in reports:
        counts.add_report(report)
        for _, make_row in finding_rows(report):
            writer.row(make_row())
    writer.finish(counts.summary())
    return "".join(parts)


@pytest.mark.parametrize("name", format_names())
def test_as_reviewed(name: str) -> None:
    expected = HERE / "expected" / f"{name}.txt"
    text = written(name)
    if not expected.is_file():
        expected.write_bytes(text.encode())
        pytest.fail(f"{expected} was written: review it")
    assert text == expected.read_bytes().decode()


@pytest.mark.thorough
@pytest.mark.parametrize("reports", [REPORTS, ()])
@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("sarif", SCHEMAS / "sarif-2.1.0.json"),
        ("gitlab", SCHEMAS / "gitlab-code-quality.json"),
        ("json", Path("docs/schemas/check.json").absolute()),
    ],
)
def test_as_the_schema_says(name: str, schema: Path, reports: Sequence[FileReport], tmp_path: Path) -> None:
    file = tmp_path / "output.json"
    file.write_text(written(name, reports), "utf-8")
    command = ["check_jsonschema", "--regex-variant", "nonunicode", "--schemafile", str(schema), str(file)]
    checked = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, timeout=60, check=False
    )
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("reports", [REPORTS, ()])
def test_junit_as_its_schema_says(reports: Sequence[FileReport]) -> None:
    schema = etree.XMLSchema(etree.parse(SCHEMAS / "junit-10.xsd"))
    document = etree.fromstring(written("junit", reports).encode())
    schema.assertValid(document)
    assert len(document.findall(".//testcase")) == (6 if reports else 1)
    assert [len(document.findall(f".//{kind}")) for kind in ("failure", "skipped")] == (
        [4, 2] if reports else [0, 0]
    )


def test_what_does_not_fail_the_run_is_no_failure() -> None:
    parts: list[str] = []
    writer = format_called("junit").writer(Destination(parts.append, fails_from=None))
    for _, make_row in finding_rows(REPORTS[0]):
        writer.row(make_row())
    writer.finish(SummaryCounts([TARGET]).summary())
    assert "<failure" not in parts[0]
    assert parts[0].count("<skipped") == 4


def test_nothing_in_a_log_is_read_as_a_command() -> None:
    lines = written("github").splitlines()
    commands = [line for line in lines if line.startswith("::")]
    assert len(commands) == 6
    assert all(re.match(r"::(error|warning|notice) title=mindport MP\d{3},file=", line) for line in commands)
    # The runner takes what follows the second `::` as the message, and no more than these as properties.
    heads = [line[2:].partition("::")[0] for line in commands]
    assert {part.partition("=")[0] for head in heads for part in head.partition(" ")[2].split(",")} == {
        *("title", "file", "line", "endLine", "col", "endColumn")
    }
    assert not any("##[" in line or "\x1b" in line for line in lines)


def test_a_table_holds_text_and_no_formulas() -> None:
    rows = list(csv.DictReader(written("csv").splitlines()))
    assert [row["source"] for row in rows][3] == "'=torch.d"
    assert set(rows[0]) == {*FindingRow.__struct_fields__} - {"related", "change"}


def test_nothing_in_sarif_is_read_as_a_link() -> None:
    log = json.loads(written("sarif"))
    text = log["runs"][0]["results"][-1]["message"]["text"]
    assert r"\[here\](1)" in text
    assert "{{0}}" in text


def test_a_viewer_has_all_that_a_fix_takes() -> None:
    first, second = (
        result
        for result in json.loads(written("sarif"))["runs"][0]["results"]
        if result["properties"]["fix"] != "none"
    )
    [fix] = first["fixes"]
    [change] = fix["artifactChanges"]
    assert change["artifactLocation"] == first["locations"][0]["physicalLocation"]["artifactLocation"]
    assert [one["insertedContent"]["text"] for one in change["replacements"]] == ["import m\n", "m.b 😀"]
    assert change["replacements"][0]["deletedRegion"] == {
        "startLine": 1,
        "startColumn": 1,
        "endLine": 1,
        "endColumn": 1,
    }
    assert "fixes" not in second
    assert second["properties"]["withoutEdits"] == "not written out: it goes with a training step"


def test_a_moved_finding_has_the_same_fingerprint() -> None:
    def fingerprints(*lines: int) -> list[str]:
        spans = [Span(line, 0, line, 5) for line in lines]
        findings = tuple(
            Finding("MP101", Severity.ERROR, span, f"at {span.line}", "torch.a") for span in spans
        )
        report = FileReport("m.py", findings, (None,) * len(lines), sources=("x = torch.a()",) * len(lines))
        return [make_row().fingerprint for _, make_row in finding_rows(report)]

    assert fingerprints(1, 5) == fingerprints(3, 9)
    assert len({*fingerprints(1, 5, 7)}) == 3
    assert fingerprints(1) == fingerprints(1, 5)[:1]


EXCERPTS = [
    ("    x = torch.a(y)", Span(2, 8, 2, 15), "        ^^^^^^^"),
    ("\tx = torch.a(y)", Span(2, 5, 2, 12), "        ^^^^^^^"),
    ('s = "你好"; torch.a()', Span(2, 10, 2, 17), "            ^^^^^^^"),
    ("torch.a(", Span(2, 0, 4, 1), "^^^^^^^^"),
    ("torch.a(你)", Span(2, 8, 2, 9), "        ^^"),
    ("x", Span(2, 1, 2, 1), " ^"),
]


@pytest.mark.parametrize(("code", "span", "marks"), EXCERPTS)
def test_the_code_that_is_meant_is_marked(code: str, span: Span, marks: str) -> None:
    parts: list[str] = []
    destination = Destination(parts.append, code=lambda file, line: code)
    finding = Finding("MP101", Severity.ERROR, span, "message", "torch.a")
    [(_, make_row)] = finding_rows(FileReport("m.py", (finding,), (None,), sources=("other",)))
    format_called("full").writer(destination).row(make_row())
    assert "".join(parts).splitlines()[1:3] == [f"  2 | {code.expandtabs(4)}", f"    | {marks}"]


@pytest.mark.parametrize("code", ["", "x" * 5000])
def test_code_that_is_not_there_or_endless(code: str) -> None:
    parts: list[str] = []
    writer = format_called("full").writer(Destination(parts.append, code=lambda file, line: code))
    for _, make_row in finding_rows(REPORTS[0]):
        writer.row(make_row())
    assert "^" not in "".join(parts)
    assert max(map(len, "".join(parts).splitlines())) < 200


def test_nothing_of_the_code_is_markup() -> None:
    page = etree.fromstring(written("html"), etree.HTMLParser())
    known = {
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "h1",
        "h2",
        "p",
        "ul",
        "li",
        "strong",
        "code",
        "div",
    }
    assert {one.tag for one in page.iter()} == known
    assert len(page.findall(".//li")) == 6
    assert "http" not in written("html")
