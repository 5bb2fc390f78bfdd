"""The rows that the page begins with: findings that say the same together, silent ones first; areas; progress."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_migration import Page, made, project  # noqa: F401

from mindport.cli.main import main
from mindport.model.finding import Finding, Severity
from mindport.model.span import Span
from mindport.model.verdict import Applicability
from mindport.report.migration.areas import area_of, area_rows
from mindport.report.migration.findings import work_rows
from mindport.report.migration.rows import FileRow
from mindport.report.program_rows import PlaceRow

ERROR, WARNING, HINT = Severity.ERROR, Severity.WARNING, Severity.HINT


def finding(code: str, severity: Severity, message: str) -> Finding:
    return Finding(code, severity, Span(1, 0, 1, 1), message, "torch.x")


def place(file: str, line: int = 1) -> PlaceRow:
    return PlaceRow(file=file, line=line)


def test_what_says_the_same_stands_together_the_silent_first() -> None:
    safe = Applicability.SAFE
    rows = work_rows(
        [
            (finding("MP107", WARNING, "several"), safe, place("a.py")),
            (finding("MP107", WARNING, "several"), safe, place("b.py")),
            (finding("MP107", WARNING, "several"), None, place("c.py")),
            (finding("MP901", ERROR, "cannot be read"), None, place("broken.py")),
            (finding("MP102", ERROR, "missing"), None, place("d.py")),
            (finding("MP101", WARNING, "silent"), None, place("e.py")),
            (finding("MP109", HINT, "renamed"), safe, place("f.py")),
        ]
    )
    assert [(row.code, row.fix, len(row.places), row.is_silent) for row in rows] == [
        ("MP101", "no", 1, True),
        ("MP102", "no", 1, False),
        ("MP107", "safe", 2, False),
        ("MP107", "no", 1, False),
    ]


@pytest.mark.parametrize(
    ("file", "area"), [("a.py", "."), ("a/b.py", "a"), ("a/b/c.py", "a"), ("x.ipynb cell 3", "."), ("", ".")]
)
def test_an_area_is_the_folder_at_the_top(file: str, area: str) -> None:
    assert area_of(file) == area


def test_areas_add_up_and_begin_with_the_most_work() -> None:
    files = [
        FileRow(
            file=file, level=0, references=count, ready=ready, work=count - ready, imports=(), together=()
        )
        for file, count, ready in (("a.py", 5, 5), ("m/a.py", 9, 4), ("m/n/b.py", 3, 3), ("t/x.py", 2, 1))
    ]
    silent = (finding("MP101", ERROR, "silent"), None)
    rows = area_rows(files, work_rows([(*silent, place("m/a.py")), (*silent, place("a.py"))]))
    assert [(row.area, row.files, row.references, row.ready, row.work, row.silent) for row in rows] == [
        ("m", 2, 12, 7, 5, 1),
        ("t", 1, 2, 1, 1, 0),
        (".", 1, 5, 5, 0, 1),
    ]


SILENT = "import torch.nn as nn\n\nlayers = [nn.LeakyReLU(), nn.LeakyReLU()]\nnorm = nn.BatchNorm2d(3)\n"


def test_the_page_begins_with_silent_differences(project: Path) -> None:  # noqa: F811
    (project / "layers.py").write_text(SILENT)
    text = made("project", "--format", "html")
    silent = text.partition('<section id="silent">')[2].partition("</section>")[0]
    assert text.index('id="silent"') < text.index('id="checklist"')
    assert "torch.nn.LeakyReLU silently gives another result: " in silent
    assert "layers.py:3" in silent and "<details" not in silent
    assert "2.10.0" not in silent
    report = json.loads(made("project", "--format", "json"))
    assert [row["is_silent"] for row in report["work"]][:2] == [True, True]
    assert [len(row["places"]) for row in report["work"]][:2] == [2, 1]


def test_every_cell_of_a_table_says_its_column_on_a_phone(project: Path) -> None:  # noqa: F811
    (project / "layers.py").write_text(SILENT)
    page = Page(made("project", "--format", "html"))
    cells = [one for tag, one in page.tags if tag == "td"]
    assert len(cells) > 20
    assert all(one.get("data-label") for one in cells)


def test_progress_since_an_earlier_report(project: Path) -> None:  # noqa: F811
    (project / "layers.py").write_text(SILENT)
    assert main(["report", "--device", "CPU", "project", "-o", "old.json"]) == 0
    (project / "layers.py").write_text("import torch.nn as nn\n\nlayers = [nn.LeakyReLU()]\n")
    report = json.loads(made("project", "--format", "json", "--compare", "old.json"))
    rows = {row["what"]: (row["before"], row["now"]) for row in report["progress"]}
    assert rows["silent differences"] == (3, 1)
    assert rows["references"][0] == rows["references"][1] + 2
    page = made("project", "--format", "html", "--compare", "old.json")
    progress = page.partition('<section id="progress">')[2].partition("</section>")[0]
    assert "<b>-2</b>" in progress
    ready = rows["ready"]
    assert [f'aria-label="{count} ready, ' in progress for count in ready] == [True, True]
    assert progress.count("<svg ") == 2
    assert 'id="progress"' not in made("project", "--format", "html")


def test_a_report_of_an_older_mindport_can_be_compared(project: Path) -> None:  # noqa: F811
    Path("old.json").write_text('{"readiness": {"references": 10, "ready": 1, "more": 1}, "hard": []}')
    report = json.loads(made("project", "--format", "json", "--compare", "old.json"))
    assert {row["what"]: row["before"] for row in report["progress"]} == {
        "references": 10,
        "ready": 1,
        "to do": 9,
        "without an equivalent": 0,
    }


@pytest.mark.parametrize("content", [None, "", "[]", "{}", '{"readiness": 3}', "<html>", "\xff"])
def test_what_is_no_report_is_refused(
    project: Path,  # noqa: F811
    content: str | None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if content is not None:
        Path("old.json").write_text(content, encoding="latin-1")
    assert main(["report", "project", "-o", "new.html", "--compare", "old.json"]) == 2
    assert "old.json" in capsys.readouterr().err
    assert not Path("new.html").exists()


@pytest.mark.parametrize(("editor", "is_told"), [((), False), (("--editor", "vscode"), True)])
def test_a_page_names_no_folder_of_the_machine_unless_asked(
    project: Path,  # noqa: F811
    editor: tuple[str, ...],
    is_told: bool,
) -> None:
    page = made("project", "--format", "html", *editor)
    assert (project.as_posix() in page) is is_told


@pytest.mark.thorough
def test_the_page_of_a_large_project_stays_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(500):
        file = tmp_path / "project" / f"package{number % 20}" / f"module_with_a_long_name_{number}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(SILENT + f"import torch\nx{number} = torch.lobpcg(torch.qr(y)[0])\n" * 3)
    assert len(made("project", "--format", "html").encode()) < 1_000_000
