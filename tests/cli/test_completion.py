"""What shells put in place of a word that is begun, as they ask for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from mindport.cli.main import commands

WORDS = [
    (["ch"], ["check"]),
    (["mer"], ["merge"]),
    (["baseline", ""], ["compare", "prune", "write"]),
    (["check", "--remove"], ["--remove-suppressions"]),
    (["check", "--device", ""], ["auto", "Ascend", "GPU", "CPU"]),
    (["check", "--device", "A"], ["Ascend"]),
    (["fix", "--mode", "g"], ["graph"]),
    (["check", "--fail-on", "n"], ["never"]),
    (["check", "--output-format", "js"], ["json", "jsonl"]),
    (["check", "--output-format", "text,sa"], ["text,sarif"]),
    (["merge", "--output-format", "ht"], ["html"]),
    (["check", "--device", "x"], []),
    (["check", "--mode", "CPU"], []),
]


@pytest.mark.parametrize(("words", "expected"), WORDS)
@pytest.mark.parametrize("shell", [BashComplete, ZshComplete, FishComplete])
def test_words(shell: type[BashComplete], words: list[str], expected: list[str]) -> None:
    completion = shell(commands, {}, "mindport", "_MINDPORT_COMPLETE")
    found = completion.get_completions(words[:-1], words[-1])
    assert [one.value for one in found] == expected


def test_in_bash() -> None:
    """The line of docs/usage.md, and then what Bash does at a tab."""
    script = """
        eval "$(_MINDPORT_COMPLETE=bash_source mindport)"
        COMP_WORDS=(mindport check --device A) COMP_CWORD=3
        _mindport_completion mindport
        echo "${COMPREPLY[@]}"
    """
    environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("Ascend\n", "")
