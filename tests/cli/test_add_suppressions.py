"""`mindport check --add-suppressions`: afterwards there is nothing to report, and nothing else has changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mindport.cli.main import main

CODE = "import torch\n\nprint(torch.no_such_name)\nprint(torch.another)  # noqa\ntorch.third() + \\\n    1\n"
Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    """Run `mindport check` in a project with three findings, one of which takes no comment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    Path("a.py").write_text(CODE)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["check", "--no-cache", "--jobs", "1", "--device", "CPU", *arguments])
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


def test_what_takes_a_comment_is_ignored_and_the_rest_reported(check: Check) -> None:
    code, out, err = check("--add-suppressions", "--reason", " MIG-12:\n later ")
    assert code == 1
    assert [line.split(" ")[0] for line in out.splitlines() if "MP113" in line] == ["a.py:5:1:"]
    assert "(2 suppressed)" in out
    assert "added comments that ignore 2 findings in 1 file" in err
    assert Path("a.py").read_text() == (
        "import torch\n\nprint(torch.no_such_name)  # mindport: ignore[MP113] MIG-12: later\n"
        "print(torch.another)  # noqa  # mindport: ignore[MP113] MIG-12: later\ntorch.third() + \\\n    1\n"
    )
    before = Path("a.py").read_text()
    assert check("--add-suppressions")[1].count("MP113") == 1
    assert Path("a.py").read_text() == before


def test_what_is_in_the_baseline_needs_no_comment(check: Check) -> None:
    assert main(["baseline", "write", "--no-cache", "--device", "CPU"]) == 0
    assert check("--add-suppressions")[0] == 0
    assert Path("a.py").read_text() == CODE


def test_a_file_with_two_names(check: Check) -> None:
    Path("b.py").symlink_to("a.py")
    Path("a.py").write_text("import torch\nprint(torch.nope)\n")
    code, out, err = check("--add-suppressions")
    assert (code, "MP113" in out) == (0, False)
    assert "ignore 2 findings in 1 file" in err or "ignore 1 finding in 1 file" in err
    assert Path("a.py").read_text() == "import torch\nprint(torch.nope)  # mindport: ignore[MP113]\n"
    assert Path("b.py").is_symlink()


def test_notebooks(check: Check) -> None:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": CODE[:42]}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    Path("n.ipynb").write_text(json.dumps(notebook, indent=1))
    Path("a.py").write_text("")
    assert check("--add-suppressions")[0] == 0
    assert "# mindport: ignore[MP113]" in Path("n.ipynb").read_text()
    assert check()[0] == 0


@pytest.mark.parametrize("arguments", [("--reason", "x"), ("--add-suppressions", "-")])
def test_what_makes_no_sense(check: Check, arguments: tuple[str, ...]) -> None:
    assert check(*arguments)[0] == 2
    assert Path("a.py").read_text() == CODE
