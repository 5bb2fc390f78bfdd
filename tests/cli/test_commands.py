"""The commands end to end: what goes to which stream, exit codes, formats, and what `fix` writes where."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from mindport.cli.main import main
from mindport.report.rows import CheckOutput, FindingRow, InventoryOutput, InventoryRow, Summary

TARGET = ("--device", "CPU", "--target-version", "2.10.0")
UNKNOWN = "import torch\n\nprint(torch.no_such_name_at_all)\n"
FIXABLE = "import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.abs(x)\n"
CLEAN = "x = 1\n"


class Result(msgspec.Struct):
    code: int
    out: str
    err: str


class Command:
    """Runs commands in one directory and gives what they wrote."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, name: str, *arguments: str) -> Result:
        options = [] if name in ("rules", "explain", "config") else ["--no-cache", "--jobs", "1", *TARGET]
        # Whether a fix is safe depends on what was run; where and how it is written does not.
        options += ["--unsafe-fixes"] if name == "fix" else []
        code = main([name, *options, *arguments])
        output = self._capsys.readouterr()
        return Result(code, output.out, output.err)


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.chdir(tmp_path)
    return Command(capsys)


def git(*arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True, timeout=60)


def test_check_text(command: Command) -> None:
    Path("a.py").write_text(UNKNOWN)
    result = command("check")
    assert result.code == 1
    first, *_, last = result.out.splitlines()
    assert first.startswith("a.py:3:7: warning MP113 ")
    assert last.startswith(
        "Target: MindSpore 2.10.0 on CPU, PyNative (version 2.10.0: set by target-version;"
    )
    assert result.err == ""


def test_check_of_clean_code(command: Command) -> None:
    Path("a.py").write_text(CLEAN)
    result = command("check", "a.py")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("No findings in 1 file\n")


def test_hints_and_information_do_not_fail(command: Command) -> None:
    Path("a.py").write_text(FIXABLE)
    assert command("check").code == 0
    shown = command("check", "--min-severity", "hint").out
    assert re.search(r"^a\.py:5:12: hint MP110 \[[*-]\] torch\.abs", shown, re.MULTILINE)
    assert "hint MP110" not in command("check").out
    Path("pyproject.toml").write_text("[tool.mindport.severity]\nMP110 = 'warning'\n")
    assert command("check").code == 1
    Path("pyproject.toml").write_text("[tool.mindport]\nignore = ['MP113']\n")
    Path("a.py").write_text(UNKNOWN)
    assert command("check").code == 0


def test_concise_names_the_target_on_the_other_stream(command: Command) -> None:
    Path("a.py").write_text(UNKNOWN)
    result = command("check", "--output-format", "concise")
    assert result.out.count("\n") == 1
    assert result.err.startswith("Target: MindSpore 2.10.0 on CPU")


def test_json_and_jsonl(command: Command) -> None:
    Path("a.py").write_text(UNKNOWN)
    Path("b.py").write_text(FIXABLE)
    result = command("check", "--output-format", "json")
    output = msgspec.json.decode(result.out, type=CheckOutput)
    assert {(row.file, row.code) for row in output.findings} == {("a.py", "MP113"), ("b.py", "MP110")}
    assert output.summary.files == 2
    assert output.summary.targets[0].version == "2.10.0"
    lines = command("check", "--output-format", "jsonl").out.splitlines()
    rows = [msgspec.json.decode(line, type=FindingRow | Summary) for line in lines]
    assert rows == [*output.findings, output.summary]


def test_selection(command: Command) -> None:
    Path("a.py").write_text(UNKNOWN)
    assert "MP113" in command("check", "--select", "MP1").out
    assert "MP113" not in command("check", "--select", "MP101,MP102").out
    assert "MP113" not in command("check", "--ignore", "MP113").out
    assert "MP113" not in command("check", "--preset", "silent-only").out


def test_codes_that_no_rule_has(command: Command) -> None:
    Path("a.py").write_text(CLEAN)
    result = command("check", "--select", "MP1,MP199,ALL")
    assert result.code == 0
    assert result.err.startswith("warning: no rule begins with MP199")
    assert result.err.count("warning") == 1


def test_missing_path_fails_but_the_rest_is_checked(command: Command) -> None:
    Path("a.py").write_text(UNKNOWN)
    result = command("check", "nowhere", "a.py")
    assert result.code == 2
    assert "error: nowhere: no such file or directory" in result.err
    assert "a.py:3:7" in result.out


def test_nothing_to_check(command: Command) -> None:
    result = command("check")
    assert (result.code, result.err) == (0, "warning: no Python files found\n")


def test_order_and_content_do_not_depend_on_jobs(command: Command) -> None:
    for number in range(12):
        Path(f"m{number:02}.py").write_text(
            "import torch\n" + "print(torch.no_such_name)\n" * (number % 3 + 1)
        )
    one = command("check", "--jobs", "1").out
    assert one == command("check", "--jobs", "2").out
    assert one.count("MP113") == 24


def test_the_cache_never_shows(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    def cached() -> str:
        main(["check", *TARGET])
        return capsys.readouterr().out

    Path("a.py").write_text(UNKNOWN)
    first = command("check").out
    assert cached() == first
    assert cached() == first
    Path("a.py").write_text("\n" + UNKNOWN)
    assert cached() == command("check").out != first
    assert main(["check", *TARGET, "--select", "MP101"]) == 0
    assert "MP113" not in capsys.readouterr().out
    Path("a.py").write_text(UNKNOWN)
    assert cached() == first


def test_inventory(command: Command) -> None:
    Path("a.py").write_text(
        "import torch\n\n\ndef f(x: torch.Tensor):\n    return (x\n            .view(2, 3))\n"
    )
    result = command("inventory", "--output-format", "json")
    assert result.code == 0
    output = msgspec.json.decode(result.out, type=InventoryOutput)
    row = next(row for row in output.references if row.api == "torch.Tensor.view")
    assert (row.line, row.column, row.end_line, row.end_column) == (5, 13, 6, 18)
    assert (row.name_line, row.name_column, row.cell, row.form) == (6, 14, None, "method")
    assert row.target == "MindSpore 2.10.0 on CPU, PyNative"
    counted = output.summary.references + sum(output.summary.apart.values())
    assert counted == sum(row.form != "import" for row in output.references)
    assert output.summary.apart == {"annotations": 1}
    text = command("inventory").out
    assert "a.py:5:13: torch.Tensor.view method" in text
    assert "findings" not in text
    assert re.search(r"^1 reference to torch in 1 file, \d+ % ", text, re.MULTILINE)
    concise = command("inventory", "--output-format", "concise")
    assert concise.out.count("\n") == len(output.references)
    assert concise.err.startswith("Target: MindSpore 2.10.0 on CPU")
    lines = command("inventory", "--output-format", "jsonl").out.splitlines()
    assert msgspec.json.decode(lines[0], type=InventoryRow) == output.references[0]
    assert command("inventory", "nowhere").code == 2


@pytest.mark.parametrize("name", ["check", "inventory", "fix"])
def test_nothing_that_could_be_read(command: Command, tmp_path: Path, name: str) -> None:
    (tmp_path / "notebook.ipynb").write_text("{}")
    assert command(name, str(tmp_path / "notebook.ipynb")).code == 2
    (tmp_path / "empty").mkdir()
    nothing = command(name, str(tmp_path / "empty"))
    assert nothing.code == 0
    assert "no Python files found" in nothing.err


def test_fix_in_place_outside_a_repository(command: Command) -> None:
    Path("a.py").write_bytes(FIXABLE.replace("\n", "\r\n").encode())
    Path("b.py").write_text(CLEAN)
    result = command("fix")
    assert (result.code, result.out) == (0, "")
    assert re.search(r"^Applied [1-9]\d* fix(es)? in 1 file$", result.err, re.MULTILINE)
    fixed = Path("a.py").read_bytes()
    assert b"torch.abs" not in fixed
    assert fixed.count(b"\n") == fixed.count(b"\r\n")
    compile(fixed, "a.py", "exec")
    assert "Applied 0 fixes in 0 files" in command("fix").err
    assert Path("a.py").read_bytes() == fixed


def test_fix_diff_changes_nothing(command: Command) -> None:
    Path("a.py").write_text(FIXABLE)
    result = command("fix", "--diff")
    assert result.code == 1
    assert Path("a.py").read_text() == FIXABLE
    assert result.out.startswith("--- a/a.py\n+++ b/a.py\n@@ ")
    Path("patch").write_text(result.out)
    subprocess.run(["git", "apply", "patch"], check=True, timeout=60)
    patched = Path("a.py").read_text()
    Path("a.py").write_text(FIXABLE)
    command("fix")
    assert Path("a.py").read_text() == patched
    assert command("fix", "--diff").code == 0


def test_fix_into_a_directory(command: Command) -> None:
    Path("src/p").mkdir(parents=True)
    Path("src/p/a.py").write_text(FIXABLE)
    Path("src/b.py").write_text(CLEAN)
    assert command("fix", "src", "-o", "out").code == 0
    assert Path("src/p/a.py").read_text() == FIXABLE
    assert Path("out/b.py").read_text() == CLEAN
    assert "torch.abs" not in Path("out/p/a.py").read_text()


def test_fix_respects_what_is_not_committed(command: Command) -> None:
    git("init", "-q")
    Path("a.py").write_text(FIXABLE)
    Path("b.py").write_text(FIXABLE)
    git("add", "a.py")
    git("commit", "-qm", "x")
    result = command("fix")
    assert result.code == 2
    assert "b.py" in result.err
    assert "--allow-dirty" in result.err
    assert Path("b.py").read_text() == FIXABLE
    assert "torch.abs" not in Path("a.py").read_text()
    assert command("fix", "b.py", "--allow-dirty").code == 0
    assert "torch.abs" not in Path("b.py").read_text()
    Path("b.py").write_text(FIXABLE)
    assert command("fix", "--diff", "b.py").code == 1
    assert command("fix", "b.py", "-o", "out").code == 0


@pytest.mark.thorough
def test_standard_input(command: Command) -> None:
    def run(name: str, *arguments: str, text: str = UNKNOWN) -> subprocess.CompletedProcess[bytes]:
        line = [sys.executable, "-m", "mindport", name, "-", *TARGET, "--no-cache", *arguments]
        return subprocess.run(line, input=text.encode(), capture_output=True, timeout=60, check=False)

    result = run("check", "--stdin-filename", "p/model.py")
    assert result.returncode == 1
    assert result.stdout.startswith(b"p/model.py:3:7: warning MP113")
    fixed = run("fix", "--unsafe-fixes", text=FIXABLE.replace("\n", "\r\n"))
    assert fixed.returncode == 0
    assert b"torch.abs" not in fixed.stdout
    assert fixed.stdout.count(b"\r\n") == fixed.stdout.count(b"\n") > 4
    assert not list(Path().iterdir())


@pytest.mark.thorough
def test_a_reader_that_leaves(command: Command) -> None:
    Path("a.py").write_text("import torch\n" + "print(torch.no_such_name)\n" * 1200)  # more than a pipe holds
    line = [sys.executable, "-m", "mindport", "check", "--no-cache", "--jobs", "1", *TARGET]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 128 + signal.SIGPIPE


def test_interrupted(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mindport.cli.plan.resolve_target", interrupt)
    Path("a.py").write_text(CLEAN)
    result = command("check")
    assert (result.code, result.out, result.err) == (130, "", "interrupted\n")


def test_output_that_the_terminal_cannot_show(command: Command) -> None:
    Path("模型.py").write_text(UNKNOWN)
    line = [sys.executable, "-m", "mindport", "check", "--no-cache", "--jobs", "1", *TARGET]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(line, capture_output=True, env=environment, timeout=60, check=False)
    assert result.returncode == 1
    assert result.stdout.startswith(b"\\u6a21\\u578b.py:3:7")


@pytest.mark.parametrize("subject", ["MP110", "mp110", "plain-rename"])
def test_explain_a_rule(subject: str, command: Command) -> None:
    result = command("explain", subject)
    assert result.code == 0
    assert result.out.startswith("# MP110 plain-rename\n")
    assert "Why it matters" in result.out


@pytest.mark.parametrize("subject", ["torch.nn.Conv2d", "nn.Conv2d"])
def test_explain_a_name(subject: str, command: Command) -> None:
    result = command("explain", subject, *TARGET)
    assert result.code == 0
    assert "mindspore" in result.out
    assert "MindSpore 2.10.0 on CPU" in result.out


def test_explain_in_full(command: Command) -> None:
    result = command("explain", "--full", "torch.cat", *TARGET)
    assert "| `dim` | `0` | `axis` | `0` | another name |" in result.out
    assert result.out.index("## Versions and devices") < result.out.index("Target: ")
    assert "## Versions and devices" not in command("explain", "torch.cat", *TARGET).out


@pytest.mark.parametrize("subject", ["MP999", "torch.no_such_name", "numpy.array"])
def test_explain_what_does_not_exist(subject: str, command: Command) -> None:
    result = command("explain", subject)
    assert (result.code, result.out) == (2, "")
    assert subject in result.err


def test_rules(command: Command) -> None:
    assert "MP101 silent-difference" in command("rules").out
    rows = json.loads(command("rules", "--output-format", "json").out)
    assert {"code": "MP101", "name": "silent-difference", "severity": "error"}.items() <= rows[0].items()
