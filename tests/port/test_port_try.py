"""A port runs its code only where that is asked for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from small_port import NET, Command, write


@pytest.mark.parametrize(
    ("options", "is_run"),
    [((), False), (("--no-try",), False), (("--try", "--interpreter", sys.executable), True)],
)
def test_code_is_run_only_where_asked(command: Command, options: tuple[str, ...], is_run: bool) -> None:
    write({"net.py": NET, "side.py": "open('ran', 'w').close()\n"})
    result = command("port", "src", "-o", "dst", *options)
    # The Python of the tests has no MindSpore, which the trial says of it before it runs anything.
    assert (f"error: {sys.executable}" in result.err) == is_run
    assert result.code == (2 if is_run else 0)
    assert not list(Path().rglob("ran"))
    assert Path("dst/net.py").exists()
