"""What is said of calls that were made again in a port, and what the command refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from mindport.cli.verify import verify
from mindport.prove.replayed_calls import Replayed, ReplayedCall
from mindport.prove.replayed_lines import replay_lines


def call(status: str, name: str = "f", turn: int = 1) -> ReplayedCall:
    return ReplayedCall("a.py", 3, name, turn, status, "" if status in ("same", "random") else "what")


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([], ["all 0 calls that could be made give the same in the port"]),
        (
            [call("same"), call("random"), call("unkept"), call("absent", "g"), call("absent", "g", 2)],
            [
                "all 2 calls that could be made give the same in the port",
                "1 of them draw random numbers: only shapes were compared",
                "not compared: a.py:3 f, call 1: what",
                "not compared: a.py:3 g, call 1: what",
            ],
        ),
        (
            [call("same"), call("differs", turn=2), call("same", "g"), call("fails", "g", 2)],
            [
                "first to part: a.py:3 f, call 2: what; calls before it that agree: 1",
                "also: a.py:3 g, call 2: what",
            ],
        ),
        (
            [call("fails", turn=turn) for turn in range(1, 30)],
            [
                "first to part: a.py:3 f, call 1: what; calls before it that agree: 0",
                *(f"also: a.py:3 f, call {turn}: what" for turn in range(2, 22)),
                "and 8 more",
            ],
        ),
    ],
)
def test_the_first_call_to_part_is_named_first(calls: list[ReplayedCall], expected: list[str]) -> None:
    assert list(replay_lines(Replayed(tuple(calls)))) == expected


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([".", "a.py"], "compare two files, or two folders"),
        (["a.py", "."], "compare two files, or two folders"),
        (["a.py", "a.py"], "two files need --entry and --input"),
        (["a.py", "a.py", "--entry", "f()"], "two files need --entry and --input"),
        ([".", "."], "run `mindport trace --calls -- python ...` in the original first"),
    ],
)
def test_what_cannot_be_compared(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("")
    done = CliRunner().invoke(
        verify, [*words, "--device", "CPU", "--interpreter", "python-that-is-not-there"]
    )
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())
