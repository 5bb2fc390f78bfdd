"""The progress bar shows on long runs on a terminal, and a line now and then anywhere else."""

from __future__ import annotations

import io
import sys

import pytest

from mindport.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def run(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, seconds_each: float) -> str:
    clock = iter(number * seconds_each for number in range(1000))
    monkeypatch.setattr(progress, "monotonic", lambda: next(clock))
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    assert list(progress.with_progress(range(20), 20, "Checking")) == list(range(20))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("stream", "seconds_each", "shows"),
    [(Terminal(), 0.5, True), (Terminal(), 0.01, False), (io.StringIO(), 0.5, False)],
)
def test_only_on_long_runs_on_a_terminal(
    stream: io.StringIO, seconds_each: float, shows: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ("Checking" in run(monkeypatch, stream, seconds_each)) is shows


def test_the_bar_is_taken_away_when_the_run_ends_early(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr(progress, "monotonic", lambda: next(clock))
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    items = progress.with_progress(range(20), 20, "Checking")
    assert [next(items) for _ in range(4)] == [0, 1, 2, 3]
    items.close()
    assert stream.getvalue().endswith("\x1b[2K")


@pytest.mark.parametrize(
    ("seconds_each", "lines"),
    [(0.5, 0), (1.0, 0), (2.0, 1), (31.0, 19)],
)
def test_lines_where_there_is_no_terminal(
    seconds_each: float, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = run(monkeypatch, io.StringIO(), seconds_each).splitlines()
    assert len(said) == lines
    assert all(line.startswith("Checking: ") and line.endswith(" of 20 files") for line in said)
