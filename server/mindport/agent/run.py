"""Runs a command of mindport as a process of its own: its output never meets the protocol's, its memory is given back,
and a request that is given up ends it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from pathlib import Path

import msgspec

import mindport

_HOME = str(Path(mindport.__file__).parent.parent)
# Python looks for modules in the folder where it is started, which is the user's: those must not be run.
_START = f"import sys; sys.path[0:1] = [{_HOME!r}]; from mindport.cli.main import main; sys.exit(main(sys.argv[1:]))"
_LONGEST_SECONDS = 1800
# What would change what the command writes.
_NOT_PASSED_ON = ("GITHUB_ACTIONS", "MINDPORT_OUTPUT_FORMAT", "MINDPORT_OUTPUT_FILE", "FORCE_COLOR")


class Done(msgspec.Struct, frozen=True):
    """A command that ended by itself: 0 for nothing to report, 1 for findings, 2 where it could not do its work."""

    code: int
    out: str
    errors: str


async def run(root: Path, *arguments: str, seconds: float = _LONGEST_SECONDS) -> Done:
    """Run `mindport ARGUMENTS` in the folder `root`. Raises TimeoutError."""
    environment = {name: value for name, value in os.environ.items() if name not in _NOT_PASSED_ON}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _START, *arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=root,
        env={**environment, "PYTHONIOENCODING": "utf-8", "LC_MESSAGES": "C", "LC_ALL": "C.UTF-8"},
    )
    try:
        out, errors = await asyncio.wait_for(process.communicate(), seconds)
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    return Done(process.returncode or 0, out.decode("utf-8", "replace"), errors.decode("utf-8", "replace"))
