"""Runs a list of tasks in a process that may hang or die: then it is started anew behind the task that was running."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

SECONDS = 90.0


class _Files(NamedTuple):
    todo: Path
    results: Path
    now: Path
    log: Path


def kept(script: Path, folder: Path) -> bool:
    """Whether an earlier run left outcomes there."""
    return _files(script, folder).results.exists()


def kept_outcomes(script: Path, tasks: Sequence[Any], folder: Path) -> list[Any]:
    """What an earlier run of the same tasks left. Raises ValueError where it was of other ones."""
    files = _files(script, folder)
    if pickle.loads(files.todo.read_bytes()) != list(tasks):  # written by the bench itself
        raise ValueError(f"{files.results} is of other functions")
    found = _read(files.results)
    return [found.get(number, {"died": "hangs or dies"}) for number in range(len(tasks))]


def outcomes_of(
    script: Path, tasks: Sequence[Any], folder: Path, root: Path, path: Sequence[Path]
) -> list[Any]:
    """The outcome of each task; `{"died": ...}` where its process hung or died."""
    folder.mkdir(parents=True, exist_ok=True)
    files = _files(script, folder)
    files.todo.write_bytes(pickle.dumps(list(tasks)))
    files.results.unlink(missing_ok=True)
    found: dict[int, Any] = {}
    start = 0
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "ONEDNN_MAX_CPU_ISA": "AVX2"}
    with files.log.open("w") as output:
        while start < len(tasks):
            command = [
                sys.executable,
                str(script),
                str(files.todo),
                str(files.results),
                str(start),
                str(root),
            ]
            files.now.write_text(str(start))
            process = subprocess.Popen(command, stdout=output, stderr=output, env=environment, cwd=folder)
            is_stuck = _wait(process, files.results)
            found.update(_read(files.results))
            stopped = int(files.now.read_text())
            if process.returncode == 0 and stopped in found:
                break
            found[stopped] = {"died": "hangs" if is_stuck else f"ends with {process.returncode}"}
            start = stopped + 1
    return [found.get(number, {"died": "not run"}) for number in range(len(tasks))]


def _files(script: Path, folder: Path) -> _Files:
    return _Files(*(folder / f"{script.stem}.{end}" for end in ("tasks", "results", "now", "log")))


def _wait(process: subprocess.Popen[bytes], results: Path) -> bool:
    """Wait for the end; end it, and say so, where there was no outcome for too long."""
    size, since = -1, time.monotonic()
    while process.poll() is None:
        time.sleep(0.5)
        now = results.stat().st_size if results.exists() else 0
        if now != size:
            size, since = now, time.monotonic()
        elif time.monotonic() - since > SECONDS:
            process.kill()
            process.wait()
            return True
    return False


def _read(results: Path) -> dict[int, Any]:
    found = {}
    if results.exists():
        with results.open("rb") as stream:
            while True:
                try:
                    number, outcome = pickle.load(stream)  # written by the bench itself
                except (EOFError, pickle.UnpicklingError):
                    return found
                found[number] = outcome
    return found
