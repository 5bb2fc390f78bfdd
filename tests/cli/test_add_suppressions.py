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


def test_comments_that_run_out(check: Check) -> None:
    assert check("--add-suppressions", "--until", "2999-12-31", "--reason", "MIG-1")[0] == 1
    assert "  # mindport: ignore[MP113] until 2999-12-31 MIG-1\n" in Path("a.py").read_text()
    Path("a.py").write_text(Path("a.py").read_text().replace("2999", "2019"))
    code, out, _ = check()
    assert code == 1
    assert out.count("MP904 this comment suppresses nothing since 2019-12-31 is over") == 2
    assert out.count("MP113") == 3
    before = Path("a.py").read_text()
    assert check("--add-suppressions")[0] == 1  # a line takes no second comment
    assert Path("a.py").read_text() == before


def test_what_suppresses_nothing_is_taken_out(check: Check) -> None:
    Path("a.py").write_text(
        "# mindport: ignore-file[MP102]\nimport torch  # mindport: ignore\n"
        "print(torch.nope)  # mindport: ignore[MP113, MP101] why\nprint(torch.other)\n"
    )
    Path("b.py").symlink_to("a.py")
    code, out, err = check("--remove-suppressions", "a.py", "b.py")
    assert code == 1
    assert "removed 3 comments in 1 file, which suppressed nothing" in err
    assert Path("a.py").read_text() == (
        "import torch\nprint(torch.nope)  # mindport: ignore[MP113] why\nprint(torch.other)\n"
    )
    assert "a.py:3:7: warning MP113" in out and "MP904" not in out
    assert "removed 0 comments in 0 files" in check("--remove-suppressions")[2]


def test_comments_that_are_not_told_stay(check: Check) -> None:
    text = "x = 1  # mindport: ignore\n"
    Path("a.py").write_text(text)
    assert check("--remove-suppressions", "--ignore", "MP904")[0] == 0
    assert Path("a.py").read_text() == text


@pytest.mark.parametrize("option", ["--add-suppressions", "--remove-suppressions"])
def test_no_link_is_followed_out_of_the_folder(check: Check, tmp_path: Path, option: str) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text("")
    text = "import torch\nprint(torch.nope)\nx = 1  # mindport: ignore\n"
    Path("a.py").write_text(text)
    (project / "link.py").symlink_to("../a.py")
    assert "leads out of the folder" in check(option, "project")[2]
    assert Path("a.py").read_text() == text
    check(option, "project/link.py")
    assert Path("a.py").read_text() != text


def test_notebooks_lose_comments_too(check: Check) -> None:
    source = ["import torch\n", "x = 1  # mindport: ignore\n", "# mindport: ignore[MP101]"]
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell, cell]}
    Path("n.ipynb").write_text(json.dumps(notebook, indent=1))
    Path("a.py").write_text("")
    assert check("--remove-suppressions")[0] == 0
    sources = ["".join(cell["source"]) for cell in json.loads(Path("n.ipynb").read_text())["cells"]]
    assert sources == ["import torch\nx = 1"] * 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--reason", "x"),
        ("--until", "2999-01-01"),
        ("--add-suppressions", "-"),
        ("--remove-suppressions", "-"),
        ("--add-suppressions", "--until", "2019-01-01"),
        ("--add-suppressions", "--until", "tomorrow"),
    ],
)
def test_what_makes_no_sense(check: Check, arguments: tuple[str, ...]) -> None:
    assert check(*arguments)[0] == 2
    assert Path("a.py").read_text() == CODE
