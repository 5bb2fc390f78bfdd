"""Files whose names are no UTF-8, as old archives have them: no command fails for it, with results kept or without."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mindport.cli.main import main

NAME = os.fsdecode(b"caf\xe9 \xff.py")
COMMANDS = [
    (("check", "."), 1),
    (("check", ".", "--no-cache"), 1),
    (("check", ".", "--output-format", "json"), 1),
    (
        (
            "check",
            ".",
            "--output-format",
            "sarif,html,junit",
            "--output-file",
            "../a",
            "--output-file",
            "../b",
        ),
        1,
    ),
    (("fix", ".", "--diff"), 1),
    (("inventory", "."), 0),
    (("report", ".", "-o", "../r.html"), 0),
    (("baseline", "write", "."), 0),
    (("check", ".", "--shard", "1/1", "--output-file", "../s"), 2),
    (("check", ".", "--add-suppressions"), 0),
]


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., int]:
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    Path("pyproject.toml").write_text('[tool.mindport]\ndevice = "CPU"\ntarget-version = "2.10"\n')
    Path(NAME).write_text("import torch\n\ntorch.nope\n")

    def run(*arguments: str) -> int:
        code = main(list(arguments))
        assert "Traceback" not in capfd.readouterr().err
        return code

    return run


@pytest.mark.parametrize(("arguments", "code"), COMMANDS)
def test_no_command_fails(run: Callable[..., int], arguments: tuple[str, ...], code: int) -> None:
    assert [run(*arguments), run("check", "--fail-on", "never")] == [code, 0]


def test_a_baseline_knows_them_again(run: Callable[..., int]) -> None:
    assert run("baseline", "write", ".") == 0
    assert [run("check", "."), run("baseline", "compare", "."), run("baseline", "prune", ".")] == [0, 0, 0]
    Path(NAME).write_text("import torch\n\ntorch.nope\ntorch.none_too\n")
    assert run("check", ".") == 1
