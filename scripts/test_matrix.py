#!/usr/bin/env python3
"""Runs the fast tier with every Python that mindport supports and is here, with the newest releases of what it depends
on, and with the oldest that pyproject.toml allows. Each has an environment of its own in .test-cache/matrix.

    scripts/setup matrix && .venv/bin/python scripts/test_matrix.py
    .venv/bin/python scripts/test_matrix.py --python 3.12 --resolution lowest -- -q tests/cli

A Python that is not here is fetched where uv can do that, and else passed over and named. Ends with 1 where a set
fails."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

REPOSITORY = Path(__file__).resolve().parents[1]
ENVIRONMENTS = REPOSITORY / ".test-cache" / "matrix"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
RESOLUTIONS = {"newest": "highest", "lowest": "lowest-direct"}
FAST = ("-q", "-x", "-m", "not oracle and not editor and not distribution and not thorough")
_UV = (sys.executable, "-m", "uv")
_PLACES = (Path("/usr/bin"), Path("/usr/local/bin"), *(Path.home() / ".pyenv" / "versions").glob("*/bin"))


class Outcome(msgspec.Struct, frozen=True):
    """What became of one set."""

    python: str
    resolution: str
    words: str
    seconds: float
    is_good: bool


def main(arguments: Sequence[str]) -> int:
    """Run the sets that were asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", action="append", choices=PYTHONS)
    parser.add_argument("--resolution", action="append", choices=RESOLUTIONS)
    parser.add_argument("pytest", nargs="*", help="in place of the fast tier")
    options = parser.parse_args(arguments)
    outcomes = []
    for python, resolution in sets(options.python or PYTHONS, options.resolution):
        outcomes.append(run(python, resolution, options.pytest or (*FAST, "tests")))
        one = outcomes[-1]
        print(f"Python {one.python}, {one.resolution}: {one.words} ({one.seconds:.0f} s)", flush=True)
    return 0 if all(one.is_good for one in outcomes) else 1


def sets(pythons: Sequence[str], resolutions: Sequence[str] | None) -> Iterator[tuple[str, str]]:
    """Each Python with the newest releases; the oldest with the lowest ones. What was asked for, where it was."""
    for python in pythons:
        for resolution in resolutions or ("newest", *(("lowest",) if python == pythons[0] else ())):
            yield python, resolution


def run(python: str, resolution: str, tests: Sequence[str]) -> Outcome:
    """Make the environment of one set and run tests in it."""
    started = time.monotonic()
    folder = ENVIRONMENTS / f"{python}-{resolution}"

    def outcome(words: str, is_good: bool) -> Outcome:
        return Outcome(python, resolution, words, time.monotonic() - started, is_good)

    interpreter = found(python)
    if not _succeeds([*_UV, "venv", "-q", "--clear", "--python", interpreter or python, str(folder)]):
        return outcome("no such Python here: passed over", True)
    install = [*_UV, "pip", "install", "-q", "--python", str(folder / "bin" / "python")]
    if not _succeeds([*install, "--resolution", RESOLUTIONS[resolution], "--editable", str(REPOSITORY)]):
        return outcome("cannot be installed", False)
    pins = ENVIRONMENTS / f"{python}-{resolution}.txt"
    listed = subprocess.run(
        [*_UV, "pip", "freeze", "--exclude-editable", "--python", str(folder / "bin" / "python")],
        capture_output=True,
        text=True,
        check=True,
    )
    pins.write_text(direct_pins(listed.stdout), "utf-8")
    group = f"{REPOSITORY / 'pyproject.toml'}:dev"
    if not _succeeds([*install, "--constraint", str(pins), "--group", group]):
        return outcome("the tools of development do not go with it", False)
    done = subprocess.run(
        [str(folder / "bin" / "python"), "-m", "pytest", *tests],
        cwd=REPOSITORY,
        env={k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "PYTHONPATH")},
        check=False,
    )
    return outcome("passed" if done.returncode == 0 else f"failed ({done.returncode})", done.returncode == 0)


def direct_pins(frozen: str) -> str:
    """Of `name==version` lines those of what mindport depends on itself: the tools may choose the rest."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = {_name(requirement) for requirement in project["dependencies"]}
    return "".join(f"{line}\n" for line in frozen.splitlines() if _name(line) in wanted)


def found(python: str) -> str | None:
    """The path of a Python that is installed here."""
    paths = (place / f"python{python}" for place in _PLACES)
    return next((str(path) for path in paths if path.is_file()), None)


def _name(requirement: str) -> str:
    end = next(
        (i for i, sign in enumerate(requirement) if not (sign.isalnum() or sign in "-_.")), len(requirement)
    )
    return requirement[:end].lower().replace("_", "-").replace(".", "-")


def _succeeds(command: Sequence[str]) -> bool:
    return subprocess.run(command, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
