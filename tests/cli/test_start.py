"""Starting the command line: what it loads, how it ends, and what wrong arguments are told."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mindport import __version__
from mindport.cli.main import main

HEAVY = ("rich", "ruamel", "pygls", "lsprotocol", "asyncio", "mindport.rules", "mindport.mapping", "pathspec")


def run(*arguments: str, stdin: bytes = b"", cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "mindport", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, timeout=60, check=False)


def test_version_loads_nothing_heavy() -> None:
    code = (
        "import sys; from mindport.cli.main import main; main(['--version']);"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert result.stdout.endswith(")\n[]\n")


def test_module_and_exit_code() -> None:
    result = run("--version")
    data = r"data: torch [\d.]+, MindSpore [\d.]+, evidence of 20\d\d-\d\d-\d\d"
    said = rf"mindport {re.escape(__version__)} \({data}\)\n"
    assert result.returncode == 0
    assert re.fullmatch(said, result.stdout.decode())
    result = run("chekc")
    assert result.returncode == 2
    assert b"No such command 'chekc'" in result.stderr
    assert result.stdout == b""


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-h"], ["check", "--help"], ["fix", "-h"], ["config", "-h"]]
)
def test_help(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    assert "Usage: mindport" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "--no-such-option"], "No such option"),
        (["check", "--output-format", "xml"], "xml"),
        (["check", "--jobs", "many"], "many"),
        (["check", "--device", "ascend"], "command line: device: unknown value 'ascend'"),
        (["check", "--target-version", "two"], "not a MindSpore version: 'two'"),
        (["check", "--select", "MP101,E5"], "select[1]: 'E5' is not a rule code"),
        (["check", "--config", "missing.toml"], "missing.toml: no such file"),
        (["fix", "--diff", "-o", "out"], "--diff writes nothing"),
        (["config", "show", "nowhere"], "nowhere"),
        ([], "Usage: mindport"),
        (["config"], "Usage: mindport config"),
        (["baseline"], "Usage: mindport baseline"),
        (["evidence"], "Usage: mindport evidence"),
    ],
)
def test_wrong_arguments(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert words in output.err
    assert output.out == ""


def test_wrong_configuration_stops_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.mindport]\ndevcie = 'CPU'\n")
    (tmp_path / "a.py").write_text("import torch\n")
    monkeypatch.chdir(tmp_path)
    for command in ("check", "inventory", "fix"):
        assert main([command]) == 2
        output = capsys.readouterr()
        assert "pyproject.toml: tool.mindport.devcie: unknown setting (did you mean 'device'?)" in output.err
        assert output.out == ""


def test_config_schema_and_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["properties"]["device"]["default"] == "auto"
    assert schema["additionalProperties"] is False
    (tmp_path / "pyproject.toml").write_text("[tool.mindport]\ndevice = 'Ascend'\ntarget-version = '2.9'\n")
    assert main(["config", "show", str(tmp_path)]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["target"] == "MindSpore 2.9.0 on Ascend, PyNative"
    assert shown["source"] == str(tmp_path / "pyproject.toml")
