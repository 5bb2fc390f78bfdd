#!/usr/bin/env python
"""Runs every example of the mappings in torch and in MindSpore on the CPU and records what agreed in
`mappings/_evidence`.

Run it with a Python that has torch and MindSpore (see `oracle` in pyproject.toml). Without --check it
writes the evidence; with --check it writes nothing and fails where the mappings claim more than a run shows."""

from __future__ import annotations

import argparse
import fnmatch
import importlib.metadata
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY / "scripts"), str(REPOSITORY / "server")]

import msgspec  # noqa: E402  after the path is set
from ruamel.yaml.error import YAMLError  # noqa: E402

from mindport.checking.choice import Share  # noqa: E402
from mindport.config.problem import ConfigurationError  # noqa: E402
from mindport.mapping.index import load_index  # noqa: E402  after the path is set
from mindport.mapping.names import listed_names  # noqa: E402
from mindport.mapping.schema import Evidence, Mapping  # noqa: E402
from mindport.mapping.shared_evidence import (  # noqa: E402
    EvidenceShare,
    as_text,
    evidence_file,
    read_shares,
)
from mindport.model.target import Device, Version  # noqa: E402
from mindport.prove.cases import judged_case, runs_on  # noqa: E402
from mindport.prove.outcomes import ExampleOutcome, evidence_rows, problems_of  # noqa: E402
from mindport.prove.proof import SECONDS_PER_SAMPLE, Proof, is_much_used, prove, target_of  # noqa: E402
from oracles import evidence  # noqa: E402

MINDSPORE = importlib.metadata.version("mindspore")
TARGET = target_of(MINDSPORE, "CPU")


def main() -> int:
    """Run, report, write; 0 if nothing is contradicted."""
    options = _options()
    if options.database:
        return _run_databases(options)
    if options.attack:
        return _run_attacks(options)
    if options.merge:
        return _merge(options)
    paths = [path.resolve() for path in options.files] or sorted(options.mappings.rglob("*.yaml"))
    paths = [path for path in paths if "_frameworks" not in path.parts]
    paths = [p for p in paths if not options.only or any(p.match(glob) for glob in options.only)]
    store = evidence.EvidenceFile(_place(options))
    mappings: dict[Path, Mapping] = {}
    faults: list[str] = []
    for path in paths:
        try:
            mapping = evidence.load_mapping(path)
            # Which case an example shows depends on what is proved.
            mappings[path] = msgspec.structs.replace(mapping, evidence=list(store.of(mapping)))
        except (msgspec.ValidationError, YAMLError) as error:
            faults.append(f"{_shown(path)}: {' '.join(str(error).split())}")
    if options.shard:
        mappings = _in_share(mappings, options.shard)
    proof = _run(mappings, options)
    outcomes = proof.outcomes
    changed = 0
    for path, mapping in mappings.items():
        rows = evidence_rows(mapping, outcomes[path], proof.versions, Device.CPU)
        faults.extend(f"{_shown(path)}: {fault}" for fault in _disagreements(mapping, outcomes[path]))
        faults.extend(f"{_shown(path)}: {fault}" for fault in _misplaced(mapping))
        faults.extend(f"{_shown(path)}: {fault}" for fault in _unsupported_claims(mapping, rows))
        old = store.of(mapping)
        if not options.times:
            rows = evidence.with_times_of(rows, old)
        if store.says(mapping, rows) and not options.times:
            continue
        changed += 1
        if options.check:
            faults.append(f"{_shown(path)}: the evidence is missing or stale; run scripts/run_oracles.py")
        else:
            store.replace(mapping, rows)
    if options.output:
        number, count = options.shard.number, options.shard.count
        share = EvidenceShare(number=number, count=count, asked=(), target=str(TARGET))
        options.output.write_text(as_text(store.rows_of(mappings.values()), share), "utf-8", newline="")
    elif not options.check and not options.dry_run:
        if not options.files and not options.only:
            store.keep_names(name for mapping in mappings.values() for name, _ in listed_names(mapping.torch))
        store.write()
    for fault in faults:
        print(fault)
    ran = sum(len(o.samples) for found in outcomes.values() for o in found)
    print(
        f"{len(mappings)} mappings, {sum(map(len, outcomes.values()))} examples, {ran} samples run; "
        f"{changed} with new evidence, {len(faults)} problems",
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
        "--shard",
        type=_share,
        metavar="I/N",
        help="run one of N shares of all mappings, and write what the evidence has of them then into --output or, with "
        "--check, nothing",
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="with --shard: where its rows go")
    parser.add_argument(
        "--merge",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="run nothing: let the evidence be what all shares of a run wrote, as one run would have left it",
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail where evidence is missing or stale"
    )
    parser.add_argument("--times", action="store_true", help="time the calls and write that, too")
    parser.add_argument("--dry-run", action="store_true", help="write nothing, report only what disagrees")
    parser.add_argument(
        "--database",
        action="append",
        choices=["all", "opinfo", "moduleinfo", "optimizerinfo"],
        help="judge the catalogue by PyTorch's own samples instead",
    )
    parser.add_argument(
        "--attack",
        action="append",
        metavar="GLOB",
        help="instead try what safe cases write, for files that are named or names that are used much, with values, "
        "dtypes, shapes and options that nobody chose: ties, infinite, nan, int32, 'no elements *', 'dim=*' ...",
    )
    parser.add_argument(
        "--label", action="append", metavar="GLOB", help="with --database: only entries that match"
    )
    parser.add_argument(
        "--form", action="append", metavar="FORM", help="with --database: only function, method, in-place ..."
    )
    parser.add_argument("--relevant", action="store_true", help="with --database: only what models use most")
    parser.add_argument(
        "--most", type=int, default=0, help="with --database: samples of each form of an entry (0: all)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="with --database: every sample as a line")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument("--seconds", type=float, default=SECONDS_PER_SAMPLE, help="time limit of one sample")
    options = parser.parse_args()
    if (options.shard is None or options.check) != (options.output is None):
        parser.error("--shard and --output go together, or --shard and --check")
    if options.shard and (options.files or options.only or options.dry_run):
        parser.error("--shard takes all mappings, and writes or checks what it saw")
    return options


def _share(text: str) -> Share:
    number, _, count = text.partition("/")
    if not 1 <= int(number) <= int(count):
        raise ValueError(text)
    return Share(int(number), int(count))


def _in_share(mappings: dict[Path, Mapping], share: Share) -> dict[Path, Mapping]:
    """The mappings of one share of a run, of about as many examples as the others."""
    paths = list(mappings)
    chosen = share.among([len(mappings[path].examples) for path in paths], [_shown(path) for path in paths])
    return {path: mappings[path] for index, path in enumerate(paths) if index in chosen}


def _place(options: argparse.Namespace) -> Path:
    """The file of the evidence."""
    place: Path = options.mappings / "_evidence" / evidence_file(TARGET.version, TARGET.mode).name
    return place


def _merge(options: argparse.Namespace) -> int:
    """Write the evidence of all shares of a run."""
    try:
        _, rows = read_shares(options.merge)
    except ConfigurationError as error:
        print(error)
        return 1
    store = evidence.EvidenceFile(_place(options))
    store.take(rows)
    store.write()
    print(f"{len(rows)} rows of {len(options.merge)} shares", file=sys.stderr)
    return 0


def _run_databases(options: argparse.Namespace) -> int:
    """Judge PyTorch's samples and print the report."""
    from databases.run import DATABASES, judge_samples, make_samples, print_progress
    from databases.verdicts import MODEL_RELEVANT, report

    def is_wanted(label: str) -> bool:
        if options.relevant and label not in MODEL_RELEVANT:
            return False
        return not options.label or any(fnmatch.fnmatchcase(label, glob) for glob in options.label)

    chosen = DATABASES if "all" in options.database else options.database
    samples = make_samples(chosen, is_wanted, options.most)
    samples = [one for one in samples if not options.form or one.form in options.form]
    rows = judge_samples(samples, options.jobs, print_progress())
    if options.json:
        options.json.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    print(report(rows), end="")
    return 0


def _run_attacks(options: argparse.Namespace) -> int:
    """Attack the mappings that are named, or those that packages use much, and print what differs."""
    from oracles.attack import Attacked, attack

    wanted = {str(path.resolve().relative_to(options.mappings.resolve())) for path in options.files}
    everything = load_index().mappings()
    mappings = {f: one for f, one in everything if (f in wanted if wanted else is_much_used(one))}
    found: list[Attacked] = []

    def tell(one: Attacked) -> None:
        found.append(one)
        print(f"{one.place}: {one.attack}: {' ; '.join(one.before.splitlines())}: {one.outcome}", flush=True)

    ran = attack(mappings, TARGET, options.attack, options.jobs, options.seconds, tell)
    print(f"{ran} samples that torch takes, {len(found)} of them differ", file=sys.stderr)
    return 0


def _run(mappings: dict[Path, Mapping], options: argparse.Namespace) -> Proof:
    """Run all samples of all examples that can be run here."""
    started = time.monotonic()

    def progress(done: int, total: int) -> None:
        if sys.stderr.isatty() or done % 100 == 0:
            print(f"{done}/{total} examples, {time.monotonic() - started:.0f} s", file=sys.stderr)

    return prove(
        mappings,
        TARGET,
        Path(sys.executable),
        jobs=options.jobs,
        seconds=options.seconds,
        progress=progress,
        is_timed=options.times,
    )


def _disagreements(mapping: Mapping, outcomes: list[ExampleOutcome]) -> list[str]:
    found = []
    for outcome in outcomes:
        before = " ; ".join(mapping.examples[outcome.example].before.split("\n"))
        place = f"examples[{outcome.example}] (case {outcome.case}, {mapping.cases[outcome.case].fix})"
        problems = problems_of(outcome)
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        found += [f"{place}: {before}: {problem}{more}" for problem in problems[:1]]
    return found


def _misplaced(mapping: Mapping) -> list[str]:
    """Examples that name another case than the one that applies to them: their run would prove the wrong claim."""
    found = []
    for index, example in enumerate(mapping.examples):
        named = example.case
        if named is None or example.compare == "none" or not runs_on(mapping, named, Device.CPU):
            continue
        if mapping.cases[named].helper:
            continue  # where it serves is seen when the text is written: tests/rewrite/test_catalogue_examples.py
        judged = judged_case(mapping, example, TARGET)
        if judged is not None and judged != named:
            found.append(f"examples[{index}].case: {named}, but case {judged} applies to it")
    return found


def _unsupported_claims(mapping: Mapping, rows: tuple[Evidence, ...]) -> list[str]:
    proved = {row.case for row in rows if row.agrees}
    return [
        f"cases[{index}].fix: safe without a run on the CPU that agrees"
        for index, case in enumerate(mapping.cases)
        if case.fix == "safe"
        and index not in proved
        and (not case.devices or "CPU" in case.devices)
        and (not case.modes or "pynative" in case.modes)
        and (case.until is None or Version.parse(case.until) >= TARGET.version)
    ]


def _shown(path: Path) -> str:
    return str(path.relative_to(REPOSITORY)) if path.is_relative_to(REPOSITORY) else str(path)


if __name__ == "__main__":
    sys.exit(main())
