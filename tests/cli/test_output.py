"""Standard output that cannot show every character, is full, or is not there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
CODE = "import torch\n\n# é 文\nprint(torch.no_such_name_at_all, torch.abs(x))\n"


def run(*arguments: str, cwd: Path, redirect: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run a command through a shell, in a locale that has ASCII only and without a home."""
    environment = {key: value for key, value in os.environ.items() if key not in ("HOME", "PYTHONIOENCODING")}
    line = f'"$0" -m mindport "$@" {redirect}'
    return subprocess.run(
        ["/bin/sh", "-c", line, sys.executable, *arguments],
        capture_output=True,
        cwd=cwd,
        env=environment | PLAIN,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("command", "code", "form"),
    [
        ("check", 1, "json"),
        ("inventory", 0, "jsonl"),
        pytest.param("check", 1, "jsonl", marks=pytest.mark.thorough),
        pytest.param("inventory", 0, "json", marks=pytest.mark.thorough),
    ],
)
def test_what_programs_read_is_utf_8(command: str, code: int, form: str, tmp_path: Path) -> None:
    (tmp_path / "é 文.py").write_text(CODE, "utf-8")
    result = run(command, "--no-cache", "--output-format", form, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (code, b"")
    text = result.stdout.decode("utf-8")
    rows = [json.loads(line) for line in text.splitlines()] if form == "jsonl" else [json.loads(text)]
    assert rows
    assert "é 文.py" in json.dumps(rows, ensure_ascii=False)


@pytest.mark.thorough
def test_people_see_escapes_where_the_terminal_has_not_the_character(tmp_path: Path) -> None:
    (tmp_path / "é 文.py").write_text(CODE, "utf-8")
    result = run("check", "--no-cache", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stdout.decode("ascii").startswith("\\udcc3\\udca9 ") or b"\\xe9 \\u6587.py" in result.stdout


@pytest.mark.thorough
def test_a_diff_applies_whatever_the_encoding(tmp_path: Path) -> None:
    contents: dict[Path, bytes] = {}
    for encoding in ("utf-8", "latin-1", "gb18030", "utf-8-sig"):
        head = "" if encoding.startswith("utf") else f"# -*- coding: {encoding} -*-\n"
        letter = "文" if encoding == "gb18030" else "é"
        content = f"{head}import torch  # {letter}\n\n\ndef f(x: torch.Tensor):\n    return torch.abs(x)  # {letter}"
        contents[tmp_path / f"{encoding.replace('-', '_')}.py"] = content.encode(encoding)
    for file, written in contents.items():
        file.write_bytes(written)
    result = run("fix", "--unsafe-fixes", "--diff", "--no-cache", cwd=tmp_path)
    assert result.returncode == 1
    subprocess.run(["git", "apply", "-"], input=result.stdout, cwd=tmp_path, check=True, timeout=60)
    patched = {file: file.read_bytes() for file in contents}
    for file, written in contents.items():
        file.write_bytes(written)
    assert run("fix", "--unsafe-fixes", "--no-cache", cwd=tmp_path).returncode == 0
    for file, written in contents.items():
        assert patched[file] == file.read_bytes() != written, file.name


@pytest.mark.parametrize("command", ["check", "rules", pytest.param("inventory", marks=pytest.mark.thorough)])
def test_a_full_disk_is_no_result(command: str, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():  # only Linux has it
        return
    (tmp_path / "a.py").write_text(CODE, "utf-8")
    result = run(command, cwd=tmp_path, redirect=">/dev/full")
    assert result.returncode == 2
    assert b"standard output cannot be written: No space left on device" in result.stderr
    assert b"Traceback" not in result.stderr and b"ignored" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "redirect", "code"),
    [
        (["--version"], ">&-", 0),
        pytest.param(["check", "a.py"], ">&-", 1, marks=pytest.mark.thorough),
        pytest.param(["check", "a.py"], "2>&-", 1, marks=pytest.mark.thorough),
        (["check", "a.py"], "<&- >&- 2>&-", 1),
        (["check", "-"], "<&-", 0),
    ],
)
def test_streams_that_are_closed(arguments: list[str], redirect: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CODE, "utf-8")
    result = run(*arguments, cwd=tmp_path, redirect=redirect)
    assert (result.returncode, b"Traceback" in result.stderr) == (code, False)


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["config", "show"],
        pytest.param(["fix"], marks=pytest.mark.thorough),
        pytest.param(["explain", "torch.abs"], marks=pytest.mark.thorough),
    ],
)
def test_a_directory_that_is_gone(arguments: list[str], tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = 'rmdir "$PWD"; exec "$0" -m mindport "$@"'
    result = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable, *arguments],
        capture_output=True,
        cwd=gone,
        timeout=60,
        check=False,
    )
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.decode().startswith("error: the current directory: ")
    assert len(result.stderr.splitlines()) == 1
