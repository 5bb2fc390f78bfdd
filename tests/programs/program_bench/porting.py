"""Takes a copy to MindSpore with one command, and asks mindport how ready it says the original is."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from pathlib import Path

import msgspec

from program_bench.commands import run
from program_bench.copies import DRIVER, Copy

# What stands for the copy in a command, besides `{files}` for each of its files.
DEFAULT_COMMAND = "port {source} -o {destination} --device CPU"
PORTING_SECONDS, ASKING_SECONDS = 900, 400
FOUND_AND_FIXED = (0, 1)


class Port(msgspec.Struct, frozen=True):
    """How porting went: `problem` is empty where it went well."""

    folder: Path
    seconds: float
    problem: str = ""


class Readiness(msgspec.Struct, frozen=True):
    """The share of references that work as they are or by a fix, in per cent, as `report` and `check` say it."""

    report: int | None = None
    check: int | None = None


def port(original: Copy, folder: Path, mindport: list[str], command: str) -> Port:
    """Make the port of a copy in `folder`. A command with `{destination}` writes it there; any other one changes a
    copy in place, where it is started."""
    shutil.rmtree(folder, ignore_errors=True)
    place = original.folder
    if "{destination}" not in command:
        shutil.copytree(original.folder, folder)
        place = folder
    words = []
    for word in command.split():
        if word == "{files}":
            words.extend(original.to_convert)
        else:
            words.append(word.format(source=original.folder, destination=folder))
    before = time.monotonic()
    done = run([*mindport, *words], PORTING_SECONDS, place, dict(os.environ))
    (folder.parent / "port.txt").write_text(done.printed)
    failed = done.status not in FOUND_AND_FIXED or "Traceback (most recent call last)" in done.printed
    problem = f"exit {done.status}: {' '.join(done.printed.split())[-300:]}" if failed else ""
    return Port(folder, round(time.monotonic() - before, 1), problem)


def ask_readiness(original: Copy, mindport: list[str]) -> Readiness:
    """What mindport says of the repository without the driver, before anything is changed."""
    repository = original.folder.parent / "repository"
    shutil.rmtree(repository, ignore_errors=True)
    shutil.copytree(original.folder, repository)
    (repository / DRIVER).unlink()
    page = original.folder.parent / "report.json"
    page.unlink(missing_ok=True)
    environment = dict(os.environ)
    run(
        [*mindport, "report", "--device", "CPU", "-o", str(page), "."],
        ASKING_SECONDS,
        repository,
        environment,
    )
    options = ["--device", "CPU", "--no-cache", "--min-severity", "error"]
    said = run([*mindport, "check", *options, "."], ASKING_SECONDS, repository, environment).printed
    hit = re.search(r"(\d+) % work as they are", said)
    return Readiness(_reported(page), int(hit.group(1)) if hit else None)


def _reported(page: Path) -> int | None:
    if not page.exists():
        return None
    readiness = json.loads(page.read_text())["readiness"]
    return round(100 * readiness["ready"] / max(1, readiness["references"]))
