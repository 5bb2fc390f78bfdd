"""Ctrl-C: people see what was found so far, programs get nothing that would look whole, and the exit code is 130."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mindport.checking.outcome import FileReport
from mindport.cli import check as command
from mindport.cli.main import main

Ended = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Ended:
    """Run a check of three files with a finding each, which is ended after so many."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "b.py", "c.py"):
        Path(name).write_text("import torch\n\nprint(torch.no_such_name)\n")
    original = command.check_paths

    def run(after: int, *arguments: str) -> tuple[int, str, str]:
        def interrupted(*given: object) -> Iterator[FileReport]:
            for number, report in enumerate(original(*given)):
                if number == after:
                    raise KeyboardInterrupt
                yield report

        monkeypatch.setattr(command, "check_paths", interrupted)
        code = main(["check", "--device", "CPU", "--jobs", "1", "--no-cache", *arguments])
        output = capfd.readouterr()
        return code, output.out, output.err

    return run


@pytest.mark.parametrize("after", [0, 1, 2])
def test_what_was_found_so_far_is_shown(ended: Ended, after: int) -> None:
    code, out, err = ended(after)
    assert code == 130
    assert out.count("MP113") == after
    assert f"in {after} file" in out
    assert err == f"ended early: {after} of 3 files were checked\ninterrupted\n"


@pytest.mark.parametrize("form", ["json", "sarif", "junit", "gitlab", "html"])
def test_programs_get_nothing_that_looks_whole(ended: Ended, form: str) -> None:
    code, out, _ = ended(1, "--output-format", form)
    assert (code, out) == (130, "")
    code, out, _ = ended(1, "--output-format", f"text,{form}", "--output-file", "out")
    assert (code, out.count("MP113")) == (130, 1)
    assert not Path("out").exists()


def test_lines_are_whole_and_have_no_end(ended: Ended) -> None:
    code, out, _ = ended(1, "--output-format", "jsonl")
    assert code == 130
    assert out.count("\n") == 1 and '"type":"summary"' not in out


def test_no_end_no_early_end(ended: Ended) -> None:
    code, out, err = ended(9)
    assert (code, out.count("MP113"), err) == (1, 3, "")
