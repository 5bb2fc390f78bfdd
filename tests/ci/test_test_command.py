"""The one test command can be run in parts, and says what it does not know before it sets anything up."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
COMMAND = str(REPOSITORY / "scripts" / "test")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False)


def test_help_names_the_parts_that_the_tests_are_marked_with() -> None:
    settings = (REPOSITORY / "pyproject.toml").read_text("utf-8")
    markers = re.findall(
        r'^  "(\w+): ', settings.partition("\nmarkers = [")[2].partition("\n]")[0], re.MULTILINE
    )
    assert len(markers) > 3
    assert re.findall(r"^  (\w+)  ", run("--help").stdout, re.MULTILINE) == ["fast", *markers]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("oracles",), "no part is called oracles"),
        (("fast", "thorough", "--fast"), "no part is called --fast"),
        (("--from", "nothing"), "no part is called nothing"),
        (("--from",), "usage: "),
        (("--from", "oracle", "editor"), "usage: "),
        (("--fast", "oracle"), "usage: "),
        (("fast oracle",), "no part is called fast oracle"),
    ],
)
def test_what_is_no_part_is_refused(words: tuple[str, ...], said: str) -> None:
    ended = run(*words)
    assert ended.returncode == 2
    assert said in ended.stderr
    assert not ended.stdout
