"""Runs the examples of the catalogue with other MindSpore versions than the newest, each in a throw-away environment,
or in graph mode, and keeps what was seen in mappings/_evidence: the most used names first, and only cases that have no
evidence yet. Run it from the development environment; what ran is kept when it is stopped. Calls are not timed."""

from __future__ import annotations

import argparse
import importlib.metadata
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from framework_facts.environment import throw_away_environment
from mindport.mapping.index import load_index
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Evidence, Mapping
from mindport.mapping.shared_evidence import SharedRow, as_text, evidence_file, evidence_for, read_shared
from mindport.model.target import Device, Mode, Target, Version
from mindport.prove.outcomes import evidence_rows
from mindport.prove.proof import prove
from mindport.prove.workers import CannotRun
from mindport.registry.tables import torch_usage
from oracles.evidence import EvidenceFile, with_times_of

_LACKS = re.compile(r"^cannot run: |(ImportError|ModuleNotFoundError)(?!.*mindspore)")
AT_ONCE = 60  # mappings between two writes of what was seen


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
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument(
        "--most", type=int, default=0, metavar="N", help="only the N most used names that wait (0: all)"
    )
    options = parser.parse_args()
    return max(prove_version(version, Mode(options.mode), options) for version in options.versions)


def prove_version(version: str, mode: Mode, options: argparse.Namespace) -> int:
    """Run what has no evidence with one version; 0 where it ran, whether or not all agreed."""
    output = evidence_file(Version.parse(version), mode)
    output.parent.mkdir(exist_ok=True)
    rows = drop_outdated(output)
    waiting = without_evidence(rows, mode)
    if options.most:
        waiting = waiting[: options.most]
    target = Target(Version.parse(version), Device.CPU, mode)
    store = EvidenceFile(output)
    started = time.monotonic()
    with interpreter_of(version, options) as interpreter:
        for start in range(0, len(waiting), AT_ONCE):
            print(
                f"MindSpore {target}: {start} of {len(waiting)}, {time.monotonic() - started:.0f} s",
                file=sys.stderr,
                flush=True,
            )
            mappings = dict(enumerate(waiting[start : start + AT_ONCE]))
            try:
                proof = prove(mappings, target, interpreter, jobs=options.jobs, is_timed=False)
            except CannotRun as error:
                print(error, file=sys.stderr)
                return 1
            if proof.versions and Version.parse(proof.versions["mindspore"]) != target.version:
                print(f"{interpreter} has MindSpore {proof.versions['mindspore']}", file=sys.stderr)
                return 1
            for key, mapping in mappings.items():
                seen = evidence_rows(mapping, proof.outcomes[key], proof.versions, target.device, mode)
                seen = tuple(row for row in seen if says_something(row))
                if seen:
                    store.replace(mapping, with_times_of(seen, store.of(mapping)))
            store.write()
    return 0


@contextmanager
def interpreter_of(version: str, options: argparse.Namespace) -> Iterator[Path]:
    """The Python that was named, or that of an environment with the version."""
    if options.interpreter:
        yield options.interpreter.absolute()
        return
    folder = options.keep.resolve() / f"mindspore-{version}" if options.keep else None
    with throw_away_environment([f"mindspore=={version}", *beside()], folder) as interpreter:
        yield interpreter


def beside() -> list[str]:
    """What the examples need beside MindSpore, as the newest version is run with."""
    wanted = importlib.metadata.requires("mindport") or []
    packages = [
        text.partition(";")[0].strip() for text in wanted if 'extra == "oracle"' in text.replace("'", '"')
    ]
    return [package for package in packages if not package.startswith("mindspore")]


def drop_outdated(path: Path) -> tuple[SharedRow, ...]:
    """The rows of the file that speak of cases as they are today, and of MindSpore; the others are removed from it."""
    if not path.is_file():
        return ()
    index = load_index()
    rows = read_shared(path)
    kept = tuple(
        row
        for row in rows
        if (mapping := index.find(row.api)) is not None
        and evidence_for(mapping, [row])
        and says_something(row.evidence)
    )
    if len(kept) < len(rows):
        path.write_text(as_text(kept), encoding="utf-8")
    return kept


def says_something(row: Evidence) -> bool:
    """Whether a row speaks of MindSpore, and not of what the environment lacks or of what torch could not run."""
    return row.agrees or not _LACKS.search(row.note)


def without_evidence(rows: tuple[SharedRow, ...], mode: Mode) -> list[Mapping]:
    """The mappings of which a case agreed in PyNative with any version and was not run with this one and mode, the
    most used first."""
    seen: dict[str, list[SharedRow]] = {}
    for row in rows:
        seen.setdefault(row.api, []).append(row)
    usage = torch_usage()
    waiting: list[tuple[int, str, Mapping]] = []
    for _, mapping in load_index().mappings():
        names = [name for name, _ in listed_names(mapping.torch)]
        known = evidence_for(mapping, [row for name in names for row in seen.get(name, ())])
        if cases_to_prove(mapping, mode) - {row.case for row in known}:
            uses = sum(usage[name].uses for name in names if name in usage)
            waiting.append((-uses, names[0], mapping))
    return [mapping for _, _, mapping in sorted(waiting, key=lambda one: one[:2])]


def cases_to_prove(mapping: Mapping, mode: Mode) -> set[int]:
    """The cases for the mode that agreed in PyNative with any version, or are for no other mode."""
    proved = {
        row.case
        for row in mapping.evidence
        if row.is_proof and (row.mode, row.device) == (Mode.PYNATIVE.value, "CPU")
    }
    return {
        number
        for number, case in enumerate(mapping.cases)
        if (number in proved and (not case.modes or mode.value in case.modes))
        or (mode is Mode.GRAPH and case.modes == [mode.value])
    }


if __name__ == "__main__":
    sys.exit(main())
