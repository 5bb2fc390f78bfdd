"""`mindport check --watch`: what makes it check again, and what it does with settings that cannot be used."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mindport.cli.plan import RunPlan, plan_run
from mindport.cli.watch import watch
from mindport.config.problem import ConfigurationError

CHANGES: list[tuple[Callable[[], object], bool]] = [
    (lambda: Path("src/a.py").write_text("import torch  # longer\n"), True),
    (lambda: Path("src/new.py").write_text(""), True),
    (lambda: Path("src/a.py").unlink(), True),
    (lambda: Path("pyproject.toml").write_text("[tool.mindport]\nignore = ['MP101']\n"), True),
    (lambda: Path("mindport-baseline.json").write_text("{}"), True),
    (lambda: os.utime("src/a.py", ns=(1, 1)), True),
    (lambda: Path("src/new").mkdir(), True),
    (lambda: None, False),
    (lambda: Path("src/.mindport_cache").mkdir(), False),
    (lambda: Path("elsewhere.txt").write_text("x"), False),
    (lambda: Path("src/__pycache__/x.pyc").write_text("x"), False),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("src/__pycache__").mkdir(parents=True)
    Path("src/a.py").write_text("import torch\n")
    Path("pyproject.toml").write_text("[tool.mindport]\n")


def plan() -> RunPlan:
    return plan_run(("src",), {})


def watched(steps: Iterator[Callable[[], object]], plan_of: Callable[[], RunPlan] = plan) -> list[int]:
    """How many files each run had, where `steps` happen one after the other while it waits, and then Ctrl-C."""
    runs: list[int] = []

    def pause(seconds: float) -> None:
        step = next(steps, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    def run(plan: RunPlan) -> int:
        runs.append(plan.file_count)
        return 1

    assert watch(plan_of, run, pause) == 0
    return runs


@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_what_makes_it_check_again(number: int) -> None:
    change, checks = CHANGES[number]
    assert len(watched(iter([lambda: None, change, lambda: None]))) == (2 if checks else 1)


def test_files_that_come_and_go_are_in_the_next_run() -> None:
    steps = [lambda: Path("src/b.py").write_text(""), lambda: Path("src/b.py").unlink()]
    assert watched(iter(steps)) == [1, 2, 1]


def test_what_changes_during_a_run_is_not_missed() -> None:
    runs: list[int] = []

    def run(plan: RunPlan) -> int:
        runs.append(plan.file_count)
        if len(runs) == 1:
            Path("src/a.py").write_text("import torch  # while it ran\n")
        return 0

    def pause(seconds: float) -> None:
        raise KeyboardInterrupt

    assert watch(plan, run, pause) == 0
    assert len(runs) == 2


def test_settings_that_cannot_be_used_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    steps = [
        lambda: Path("pyproject.toml").write_text("[tool.mindport]\nignor = 1\n"),
        lambda: Path("pyproject.toml").write_text("[tool.mindport]\nignore = []\n"),
    ]
    assert len(watched(iter(steps))) == 2
    assert "did you mean 'ignore'" in capsys.readouterr().err
    Path("pyproject.toml").write_text("[tool.mindport]\nignor = 1\n")
    with pytest.raises(ConfigurationError):
        watched(iter(()))
