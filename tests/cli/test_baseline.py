"""`mindport baseline` and what `check` makes of it: accepted findings are counted, new ones fail the run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mindport.cli.main import main

OLD = "import torch\n\nprint(torch.no_such_name)\n"
TARGET = ("--no-cache", "--jobs", "1", "--target-version", "2.10.0")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in a project with one finding."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    Path("pyproject.toml").write_text("[tool.mindport]\n")
    Path("src").mkdir()
    Path("src/a.py").write_text(OLD)

    def run(*arguments: str, device: str = "CPU") -> tuple[int, str, str]:
        code = main([*arguments, *TARGET, "--device", device])
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


def test_from_the_first_run_to_the_last(run: Run) -> None:
    assert run("check")[0] == 1
    code, _, err = run("baseline", "write")
    assert (code, "1 finding in 1 file" in err) == (0, True)

    code, out, err = run("check")
    assert (code, err) == (0, "")
    assert "MP113" not in out
    assert "(1 in the baseline)" in out
    assert run("check", "--no-baseline")[0] == 1

    Path("src/a.py").write_text("# moved\n" * 7 + OLD + "torch.another()\n")
    code, out, _ = run("check")
    assert code == 1
    assert [line.partition(" ")[0] for line in out.splitlines() if "MP113" in line] == ["src/a.py:11:1:"]
    code, out, _ = run("baseline", "compare")
    assert code == 1
    assert [line.split() for line in out.splitlines()] == [
        ["directory", "accepted", "now", "new", "gone"],
        ["src", "1", "2", "1", "0"],
        ["all", "1", "2", "1", "0"],
    ]

    Path("src/a.py").write_text("x = 1\n")
    code, _, err = run("check")
    assert code == 0
    assert "in the baseline, but found no more: 1 finding; `mindport baseline prune`" in err
    assert run("baseline", "prune")[0] == 0
    assert json.loads(Path("mindport-baseline.json").read_text())["findings"] == []
    Path("src/a.py").write_text(OLD)
    assert run("check")[0] == 1


def test_fixing_counts_what_is_not_accepted(run: Run) -> None:
    assert run("fix", "--diff")[0] == 1
    run("baseline", "write")
    code, _, err = run("fix", "--diff")
    assert (code, "left" in err) == (0, False)
    Path("src/a.py").write_text(OLD + "torch.another()\n")
    code, _, err = run("fix", "--diff")
    assert (code, "1 warning or error left" in err) == (1, True)


def test_pruning_accepts_nothing_new(run: Run) -> None:
    assert run("baseline", "prune")[0] == 0
    assert not Path("mindport-baseline.json").exists()
    run("baseline", "write")
    Path("src/a.py").write_text(OLD + "torch.another()\n")
    run("baseline", "prune")
    assert run("check")[0] == 1


def test_formats_leave_out_what_was_accepted(run: Run) -> None:
    run("baseline", "write")
    for form in ("sarif", "gitlab", "csv", "concise"):
        assert "MP113" not in run("check", "--output-format", form)[1]
    document = json.loads(run("check", "--output-format", "json")[1])
    assert document["summary"]["in_baseline"] == 1
    assert document["summary"]["by_severity"]["warning"] == 0


def test_compare_as_json(run: Run) -> None:
    code, out, _ = run("baseline", "compare", "--json")
    assert code == 1
    row = {"accepted": 0, "now": 1, "new": 1, "gone": 0}
    assert json.loads(out) == {"files": [{"file": "src/a.py", **row}], "total": {"file": "", **row}}


def test_each_project_has_its_own(run: Run) -> None:
    Path("other").mkdir()
    Path("other/pyproject.toml").write_text("[tool.mindport]\n")
    Path("other/b.py").write_text(OLD)
    run("baseline", "write", "other")
    assert json.loads(Path("other/mindport-baseline.json").read_text())["findings"][0]["file"] == "b.py"
    code, out, _ = run("check")
    assert (code, "src/a.py:3" in out, "other/b.py" in out) == (1, True, False)


def test_another_target_is_told(run: Run) -> None:
    run("baseline", "write")
    code, _, err = run("check", device="Ascend")
    assert code == 0
    assert (
        "was written for MindSpore 2.10.0 on CPU, PyNative, this run is for MindSpore 2.10.0 on Ascend" in err
    )
    assert "warning" not in run("check")[2]


@pytest.mark.parametrize("command", [("check",), ("baseline", "compare"), ("baseline", "write")])
def test_a_file_that_is_no_baseline_is_not_overwritten(run: Run, command: tuple[str, ...]) -> None:
    Path("mindport-baseline.json").write_text("<<<<<<< HEAD\n")
    code, _, err = run(*command)
    assert code == 2
    assert "mindport-baseline.json: is no baseline" in err
    assert Path("mindport-baseline.json").read_text() == "<<<<<<< HEAD\n"


def test_nothing_is_written_where_a_path_is_missing(run: Run) -> None:
    assert run("baseline", "write", "nowhere")[0] == 2
    assert not Path("mindport-baseline.json").exists()
