"""The command line speaks the language of the terminal or of the settings; programs always read English."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mindport.cli.language import terminal_language
from mindport.cli.main import EXIT_FAILED, main

CODE = "import torch\n\n\ndef f(x):\n    return torch.median(x)\n"
CHINESE = "会静默地给出不同结果"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one silent difference, in a Chinese terminal."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.mindport]\ndevice = "CPU"\n', "utf-8")
    (tmp_path / "model.py").write_text(CODE, "utf-8")
    return tmp_path


def said(capfdbinary: pytest.CaptureFixture[bytes], *arguments: str) -> str:
    main(arguments)
    return capfdbinary.readouterr().out.decode()


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh-cn"),
        ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "zh_CN", "LANG": "en_US"}, "zh-cn"),
    ],
)
def test_the_environment(environment: dict[str, str], language: str) -> None:
    assert terminal_language(environment) == language


def test_findings_and_their_end(project: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    text = said(capfdbinary, "check")
    assert CHINESE in text
    assert "1 个文件中有 1 个错误" in text
    assert "目标：MindSpore 2.10.0（CPU），PyNative 模式" in text


def test_cached_results_are_of_their_language(
    project: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    for _ in range(2):
        assert CHINESE in said(capfdbinary, "check")
        assert "silently gives another result" in said(capfdbinary, "check", "--locale", "en")


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_programs_read_english(project: Path, capfdbinary: pytest.CaptureFixture[bytes], form: str) -> None:
    assert said(capfdbinary, "check", "--output-format", form).isascii()
    assert json.loads(said(capfdbinary, "report", "--format", "json"))["target"]["reasons"][0].isascii()
    assert said(capfdbinary, "config", "show").isascii()


def test_a_project_may_say_otherwise(project: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (project / "pyproject.toml").write_text('[tool.mindport]\nlocale = "en"\n', "utf-8")
    assert said(capfdbinary, "check").isascii()


@pytest.mark.parametrize("form", ["html", "markdown"])
def test_reports(project: Path, capfdbinary: pytest.CaptureFixture[bytes], form: str) -> None:
    text = said(capfdbinary, "report", "--format", form)
    for heading in ("就绪度", "检查清单", "静默差异", "优先移植", "性能基线"):
        assert heading in text
    assert ('<html lang="zh-CN">' in text) == (form == "html")
    assert CHINESE in text


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ('devise = "CPU"', "devise：未知的设置（是否想写 'device'？）"),
        ('device = "TPU"', "未知的值 'TPU'；应为以下之一"),
        ("show-hints = 1", "show-hints: 应为true 或 false，实际为整数"),
        ("target-version = 2.1", "应为带引号的版本号"),
    ],
)
def test_wrong_settings(
    project: Path, capfdbinary: pytest.CaptureFixture[bytes], table: str, problem: str
) -> None:
    (project / "pyproject.toml").write_text(f"[tool.mindport]\n{table}\n", "utf-8")
    assert main(["check"]) == EXIT_FAILED
    assert problem in capfdbinary.readouterr().err.decode()
