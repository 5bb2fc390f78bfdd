#!/usr/bin/env python
"""Runs every example of the mappings in torch and in MindSpore on the CPU and records what agreed as
`evidence:`.

Run it with a Python that has torch and MindSpore (see `oracle` in pyproject.toml). Without --check it
writes the evidence into the mapping files; with --check it writes nothing and fails where the files claim
more than a run shows."""

from __future__ import annotations

import argparse
import importlib.metadata
import sys
import time
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY / "scripts"), str(REPOSITORY / "server")]

import msgspec  # noqa: E402  after the path is set
from ruamel.yaml.error import YAMLError  # noqa: E402

from mindport.mapping.schema import Mapping  # noqa: E402
from oracles import evidence  # noqa: E402
from oracles.cases import case_of, judged_case  # noqa: E402
from oracles.inputs import SAMPLES, Variant, has_floats  # noqa: E402
from oracles.pool import run_all  # noqa: E402

SECONDS_PER_SAMPLE = 30.0
MINDSPORE = importlib.metadata.version("mindspore")


def main() -> int:
    """Run, report, write; 0 if nothing is contradicted."""
    options = _options()
    paths = [path.resolve() for path in options.files] or sorted(options.mappings.rglob("*.yaml"))
    paths = [path for path in paths if "_frameworks" not in path.parts]
    paths = [p for p in paths if not options.only or any(p.match(glob) for glob in options.only)]
    mappings: dict[Path, Mapping] = {}
    faults: list[str] = []
    for path in paths:
        try:
            mappings[path] = evidence.load_mapping(path)
        except (msgspec.ValidationError, YAMLError) as error:
            faults.append(f"{_shown(path)}: {' '.join(str(error).split())}")
    outcomes, versions = _run(mappings, options)
    changed = 0
    for path, mapping in mappings.items():
        rows = evidence.evidence_rows(mapping, outcomes[path], versions)
        faults.extend(f"{_shown(path)}: {fault}" for fault in _disagreements(mapping, outcomes[path]))
        faults.extend(f"{_shown(path)}: {fault}" for fault in _misplaced(mapping))
        faults.extend(f"{_shown(path)}: {fault}" for fault in _unsupported_claims(mapping, rows))
        rows += tuple(row for row in mapping.evidence if row.device != "CPU")
        if evidence.same_claim(rows, tuple(mapping.evidence)):
            continue
        changed += 1
        if options.check:
            faults.append(f"{_shown(path)}: the evidence is missing or stale; run scripts/run_oracles.py")
        elif not options.dry_run:
            text = path.read_text(encoding="utf-8")
            path.write_text(evidence.with_evidence(text, rows), encoding="utf-8", newline="")
    for fault in faults:
        print(fault)
    ran = sum(len(o.samples) for found in outcomes.values() for o in found)
    print(
        f"{len(mappings)} mappings, {sum(map(len, outcomes.values()))} examples, {ran} samples run; "
        f"{changed} files with new evidence, {len(faults)} problems",
        file=sys.stderr,
    )
    return 1 if faults else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="mapping files; all below --mappings if left out")
    parser.add_argument(
        "--mappings", type=Path, default=REPOSITORY / "mappings", help="folder of mapping files"
    )
    parser.add_argument(
        "--only", action="append", metavar="GLOB", help="only files that match, such as 'nn/*.yaml'"
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail where evidence is missing or stale"
    )
    parser.add_argument("--dry-run", action="store_true", help="write nothing, report only what disagrees")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument("--seconds", type=float, default=SECONDS_PER_SAMPLE, help="time limit of one sample")
    return parser.parse_args()


def _run(
    mappings: dict[Path, Mapping], options: argparse.Namespace
) -> tuple[dict[Path, list[evidence.ExampleOutcome]], dict[str, str]]:
    """Run all samples of all examples that can be run here."""
    owners: list[tuple[Path, int, int, list[Variant]]] = []
    tasks: list[list[dict[str, Any]]] = []
    for path, mapping in mappings.items():
        for index, example in enumerate(mapping.examples):
            case = case_of(mapping, example, MINDSPORE)
            if example.compare == "none" or not _runs_here(mapping, case):
                continue
            wanted = SAMPLES if has_floats(example.inputs) and example.compare == "value" else SAMPLES[:3]
            plain = {**msgspec.to_builtins(example), "inputs": example.inputs, "observe": example.observe}
            plain["compare"] = example.compare
            owners.append((path, index, case, [variant for variant, _ in wanted]))
            tasks.append([{"example": plain, "variant": v.value, "seed": seed} for v, seed in wanted])
    outcomes: dict[Path, list[evidence.ExampleOutcome]] = {path: [] for path in mappings}
    versions: dict[str, str] = {}
    started = time.monotonic()
    finished = 0

    def done(index: int, results: list[dict[str, Any]], found: dict[str, str]) -> None:
        nonlocal finished
        path, example, case, variants = owners[index]
        samples = tuple(zip(variants, results, strict=False))
        outcomes[path].append(evidence.ExampleOutcome(example, case, samples))
        versions.update(found)
        finished += 1
        if sys.stderr.isatty() or finished % 100 == 0:
            print(f"{finished}/{len(tasks)} examples, {time.monotonic() - started:.0f} s", file=sys.stderr)

    run_all(tasks, done, options.jobs, options.seconds)
    for found in outcomes.values():
        found.sort(key=lambda outcome: outcome.example)
    return outcomes, versions


def _disagreements(mapping: Mapping, outcomes: list[evidence.ExampleOutcome]) -> list[str]:
    found = []
    for outcome in outcomes:
        before = " ; ".join(mapping.examples[outcome.example].before.split("\n"))
        place = f"examples[{outcome.example}] (case {outcome.case}, {mapping.cases[outcome.case].fix})"
        problems = evidence.problems_of(outcome)
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        found += [f"{place}: {before}: {problem}{more}" for problem in problems[:1]]
    return found


def _misplaced(mapping: Mapping) -> list[str]:
    """Examples that name another case than the one that applies to them: their run would prove the wrong claim."""
    found = []
    for index, example in enumerate(mapping.examples):
        named = example.case
        if named is None or example.compare == "none" or not _runs_here(mapping, named):
            continue
        judged = judged_case(mapping, example, MINDSPORE)
        if judged is not None and judged != named:
            found.append(f"examples[{index}].case: {named}, but case {judged} applies to it")
    return found


def _runs_here(mapping: Mapping, case: int) -> bool:
    devices = mapping.cases[case].devices if case < len(mapping.cases) else ["none"]
    return not devices or "CPU" in devices


def _unsupported_claims(mapping: Mapping, rows: tuple[evidence.Evidence, ...]) -> list[str]:
    proved = {row.case for row in rows if row.agrees}
    return [
        f"cases[{index}].fix: safe without a run on the CPU that agrees"
        for index, case in enumerate(mapping.cases)
        if case.fix == "safe" and index not in proved and (not case.devices or "CPU" in case.devices)
    ]


def _shown(path: Path) -> str:
    return str(path.relative_to(REPOSITORY)) if path.is_relative_to(REPOSITORY) else str(path)


if __name__ == "__main__":
    sys.exit(main())
