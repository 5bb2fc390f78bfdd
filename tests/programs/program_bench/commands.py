"""Runs a command with a time limit, and ends only what it started."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import msgspec

KEPT_OUTPUT = 200_000
TOO_LONG = 124


class Done(msgspec.Struct, frozen=True):
    """What a command printed on both streams, at most the end of it, and its exit status (124: took too long)."""

    printed: str
    status: int


def run(command: list[str], seconds: float, folder: Path, environment: dict[str, str]) -> Done:
    """Run `command` in `folder`; its whole process group ends after `seconds`."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        return Done(process.communicate(timeout=seconds)[0][-KEPT_OUTPUT:], process.returncode)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return Done(
            f"{process.communicate()[0][-KEPT_OUTPUT:]}\nended after {seconds:.0f} s of waiting", TOO_LONG
        )
