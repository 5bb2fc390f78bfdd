"""Runs the examples of the catalogue with other MindSpore versions than the newest, each in a throw-away environment,
or in graph mode, and keeps what was seen in mappings/_evidence: the most used names first, and only cases that have no
evidence yet. Run it from the development environment; what ran is kept when it is stopped."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from framework_facts.environment import throw_away_environment
from mindport.mapping.index import load_index
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Mapping
from mindport.mapping.shared_evidence import SharedRow, as_text, evidence_file, evidence_for, read_shared
from mindport.model.target import Mode, Version
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.tables import torch_usage
from oracles.evidence import note_run

TORCH = "2.13.0"
AT_ONCE = 40  # mappings in one run of `mindport prove`, which writes when it is done


def main() -> int:
    """One version after the other; 1 if any could not be run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("versions", nargs="+", metavar="VERSION", help="such as 2.9.0")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep the environments there and use them next time"
    )
    parser.add_argument(
        "--mode", choices=[mode.value for mode in Mode], default=Mode.PYNATIVE.value, help="how to execute it"
    )
    parser.add_argument(
        "--interpreter", type=Path, metavar="PATH", help="a Python that has the version, and torch, already"
    )
    parser.add_argument("--jobs", default="2", help="worker processes")
    options = parser.parse_args()
    return max(prove_version(version, Mode(options.mode), options) for version in options.versions)


def prove_version(version: str, mode: Mode, options: argparse.Namespace) -> int:
    """Run what has no evidence with one version; 0 where it ran, whether or not all agreed."""
    output = evidence_file(Version.parse(version), mode)
    output.parent.mkdir(exist_ok=True)
    rows = drop_outdated(output)
    names = names_without_evidence(rows, mode)
    with interpreter_of(version, options) as interpreter, TemporaryDirectory() as work:
        for start in range(0, len(names), AT_ONCE):
            print(f"MindSpore {version}, {mode.value}: {start} of {len(names)}", file=sys.stderr)
            command = [sys.executable, "-m", "mindport", "prove", "--device", "CPU", "--jobs", options.jobs]
            command += ["--mode", mode.value, "--interpreter", str(interpreter), "--output", str(output)]
            command += names[start : start + AT_ONCE]
            ran = subprocess.run(command, cwd=work, check=False)  # MindSpore leaves files where it runs
            if ran.returncode not in (0, 1):
                return 1
            note_run(output.parent)
    return 0


@contextmanager
def interpreter_of(version: str, options: argparse.Namespace) -> Iterator[Path]:
    """The Python that was named, or that of an environment with the version."""
    if options.interpreter:
        yield options.interpreter.absolute()
        return
    folder = options.keep.resolve() / f"mindspore-{version}" if options.keep else None
    with throw_away_environment([f"mindspore=={version}", f"torch=={TORCH}"], folder) as interpreter:
        yield interpreter


def drop_outdated(path: Path) -> tuple[SharedRow, ...]:
    """The rows of the file that speak of cases as they are today; the others are removed from it."""
    if not path.is_file():
        return ()
    index = load_index()
    rows = read_shared(path)
    kept = tuple(
        row for row in rows if (mapping := index.find(row.api)) is not None and evidence_for(mapping, [row])
    )
    if len(kept) < len(rows):
        path.write_text(as_text(kept), encoding="utf-8")
    return kept


def names_without_evidence(rows: tuple[SharedRow, ...], mode: Mode) -> list[str]:
    """One name of each mapping of which a case ran with the newest version in PyNative and not with this one and
    mode."""
    seen: dict[str, list[SharedRow]] = {}
    for row in rows:
        seen.setdefault(row.api, []).append(row)
    usage = torch_usage()
    waiting: list[tuple[int, str]] = []
    for _, mapping in load_index().mappings():
        names = [name for name, _ in listed_names(mapping.torch)]
        known = evidence_for(mapping, [row for name in names for row in seen.get(name, ())])
        if cases_to_prove(mapping, mode) - {row.case for row in known}:
            uses = sum(usage[name].uses for name in names if name in usage)
            waiting.append((-uses, names[0]))
    return [name for _, name in sorted(waiting)]


def cases_to_prove(mapping: Mapping, mode: Mode) -> set[int]:
    """The cases for the mode that ran with the newest version in PyNative, or are for no other mode."""
    newest = (str(mindspore_facts().collected_version), Mode.PYNATIVE.value, "CPU")
    proved = {
        row.case
        for row in mapping.evidence
        if row.is_proof and (row.mindspore, row.mode, row.device) == newest
    }
    return {
        number
        for number, case in enumerate(mapping.cases)
        if (number in proved and (not case.modes or mode.value in case.modes))
        or (mode is Mode.GRAPH and case.modes == [mode.value])
    }


if __name__ == "__main__":
    sys.exit(main())
