"""What is expected of programs is the same in `check`, in the report in all its forms, and in the editor's overview."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mindport.cli.main import main
from mindport.lsp.survey_messages import Overview, SurveyRequest
from mindport.lsp.workspace_survey import answer

TARGET = ("--device", "CPU", "--target-version", "2.10.0", "--no-cache")
SETTINGS = '[tool.mindport]\ndevice = "CPU"\ntarget-version = "2.10.0"\n'
PROGRAM = """\
import torch


def main():
    print(torch.ones(2){more})


if __name__ == "__main__":
    main()
"""
LEFT = "torch.distributed.get_backend"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that is ready, and one that is not."""
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text(SETTINGS, encoding="utf-8")
    Path("good.py").write_text(PROGRAM.format(more=""), encoding="utf-8")
    Path("bad.py").write_text(PROGRAM.format(more=f", {LEFT}()"), encoding="utf-8")
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    main([arguments[0], *TARGET, *arguments[1:]])
    return capsys.readouterr().out


def told(rows: list[dict[str, Any]]) -> list[tuple[str, str, int | None, str]]:
    return [(row["file"], row["level"], row["cause"] and row["cause"]["line"], row["what"]) for row in rows]


def test_programs_are_the_same_everywhere(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = [("bad.py", "will not build", 5, LEFT), ("good.py", "expected to run forward", None, "")]
    checked = json.loads(printed(capsys, "check", "--output-format", "json", "bad.py", "good.py"))
    assert told(checked["summary"]["programs"]) == expected
    report = json.loads(printed(capsys, "report", "--format", "json", "."))
    assert told(report["programs"]) == expected
    *_, overview = answer(SurveyRequest(folder=str(project), wanted="overview", encoding="utf-16"))
    assert isinstance(overview, Overview)
    found = [(one.path, one.level, one.cause and one.cause[1] + 1, one.what) for one in overview.programs]
    assert found == expected
    assert overview.programs[0].uri == (project / "bad.py").as_uri()


def test_programs_for_people(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = f"2 programs: 1 expected to run forward, 1 will not build (bad.py:5 {LEFT})"
    assert line in printed(capsys, "check", "bad.py", "good.py").splitlines()
    markdown = printed(capsys, "report", "--format", "markdown", ".")
    assert markdown.index("## Programs") < markdown.index("## Readiness")
    assert "| bad.py | will not build | `bad.py:5`" in markdown
    table = printed(capsys, "report", "--format", "csv", ".").splitlines()
    assert table[1].startswith("program,bad.py,will not build,,bad.py,5,")
    page = printed(capsys, "report", "--format", "html", ".")
    assert page.index('id="programs"') < page.index('id="readiness"')
    assert "<b>will not build</b>" in page


def test_chinese(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(capsys, "check", "--locale", "zh-cn", "bad.py", "good.py")
    assert f"2 个程序：1 预计可以运行前向计算，1 无法构建网络 (bad.py:5 {LEFT})" in said.splitlines()


def test_nothing_is_said_without_programs(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("net.py").write_text("import torch\n\nx = torch.ones(2)\n", encoding="utf-8")
    assert "program" not in printed(capsys, "check", "net.py")
    Path("bad.py").unlink()
    Path("good.py").unlink()
    assert "none is started by itself" in printed(capsys, "report", "--format", "markdown", ".")
