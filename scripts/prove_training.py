#!/usr/bin/env python
"""Ports the training programs of tests/models for several MindSpore versions, runs each port for its steps against
torch, and prints by form how far their losses are apart.

Run it with a Python that has torch, the newest MindSpore and mindport's dependencies (see `oracle` in pyproject.toml).
For an older version it makes a throw-away environment."""

from __future__ import annotations

import argparse
import importlib.metadata
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY / "scripts"), str(REPOSITORY / "server")]
sys.path[:0] = [str(REPOSITORY / "tests" / "models"), str(REPOSITORY / "tests")]

import numpy as np  # noqa: E402  after the path is set
from training_programs import (  # noqa: E402
    DIFFERENCE,
    FOLLOWED,
    FORMS,
    RECORDED,
    TrainingProgram,
    losses,
    ported,
    training_programs,
)

from framework_facts.environment import throw_away_environment  # noqa: E402

NEWEST = importlib.metadata.version("mindspore")


def main() -> int:
    """A row for each form and program; 1 if the losses of any are too far apart."""
    options = _options()
    programs = training_programs()
    found: dict[tuple[str, str], str] = {}
    with ExitStack() as stack:
        work = Path(stack.enter_context(TemporaryDirectory()))
        for version in options.versions:
            interpreter = Path(sys.executable)
            if version != NEWEST:
                folder = options.keep.resolve() / f"mindspore-{version}" if options.keep else None
                packages = [f"mindspore=={version}", "numpy<2", "greenlet"]
                interpreter = stack.enter_context(throw_away_environment(packages, folder))
            ports = {
                folder: ported(folder, work / version, "--unsafe-fixes", "--target-version", version)
                for folder in (FOLLOWED, RECORDED)
            }
            for name, program in programs.items():
                if not options.only or name in options.only:
                    print(f"MindSpore {version}: {name}", file=sys.stderr)
                    found[name, version] = _difference(program, ports[program.file.parent], work, interpreter)
    _print_table(options.versions, found)
    return int(any(not _is_close(text) for text in found.values()))


def _difference(program: TrainingProgram, port: Path, work: Path, interpreter: Path) -> str:
    """How far the losses are apart at most, or the last line of what went wrong."""
    try:
        expected, mine = losses(program, port, work, interpreter)
    except AssertionError as error:
        lines = [line for line in str(error).splitlines() if "Error" in line]
        return lines[-1] if lines else "fails"
    return f"{np.abs(mine - expected).max():.1e}"


def _is_close(text: str) -> bool:
    try:
        return float(text) < DIFFERENCE
    except ValueError:
        return False


def _print_table(versions: list[str], found: dict[tuple[str, str], str]) -> None:
    print("| form | program | " + " | ".join(versions) + " |\n|---|---|" + "---|" * len(versions))
    for form, names in FORMS.items():
        for name in names:
            if (name, versions[0]) in found:
                cells = " | ".join(found[name, version] for version in versions)
                print(f"| {form} | {name} | {cells} |")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("versions", nargs="*", metavar="VERSION", default=["2.7.0", NEWEST])
    parser.add_argument("--only", nargs="+", metavar="PROGRAM", help="run these")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep the environments there and use them next time"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
