#!/usr/bin/env python
"""Measures second-order gradients of MindSpore on the CPU against torch, and writes
mappings/_frameworks/second_order/measured-<version>.json.

Run it with an interpreter that has torch and MindSpore (see `oracle` in pyproject.toml); --interpreter measures another
MindSpore. The cases are the examples of the mappings, the same with mint, and scripts/second_order/variants.yaml."""

from __future__ import annotations

import argparse
import datetime
import fnmatch
import json
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "server")]

import torch  # noqa: E402  after the path is set

from framework_facts.output import write_facts  # noqa: E402
from mindport.registry.mindspore import mindspore_facts  # noqa: E402
from second_order.cases import Case, all_cases, hand_written  # noqa: E402
from second_order.pool import run_all  # noqa: E402
from second_order.reference import NoReference, reference  # noqa: E402

FOLDER = ROOT / "mappings" / "_frameworks" / "second_order"
MODES = ("pynative", "graph")
SECONDS = 90.0
SAVED_EVERY = 50  # cases; a long run may be taken up again


def main() -> int:
    """Measure and write; 0 unless --check finds a difference."""
    options = _options()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    facts = mindspore_facts()
    cases = list(hand_written(facts)) if options.hand_written else all_cases(ROOT / "mappings", facts)
    chosen = [case for case in cases if _is_wanted(case, options)][:: options.every]
    stored = _stored(options.output or _usual_output(str(facts.collected_version))) if options.update else {}
    if options.resume:
        chosen = [case for case in chosen if case.id not in stored]
    rows, version = measure(chosen, stored, options)
    counts = Counter((mode, row[mode][0]) for row in rows.values() for mode in MODES if mode in row)
    print(f"MindSpore {version}: {len(rows)} cases", file=sys.stderr)
    for (mode, result), count in sorted(counts.items()):
        print(f"  {mode:9} {result:8} {count}", file=sys.stderr)
    if not rows:
        return 0
    output = options.output or _usual_output(version)
    if options.update and not options.output and version != str(facts.collected_version):
        print(f"name the --output to update: this is MindSpore {version}", file=sys.stderr)
        return 1
    if options.check:
        return _check(rows, _stored(output))
    _write(output, version, {**stored, **rows})
    return 0


def measure(
    cases: list[Case], stored: dict[str, Any], options: argparse.Namespace
) -> tuple[dict[str, dict[str, Any]], str]:
    """The rows of the cases that torch has a second order for, and the version of MindSpore."""
    rows: dict[str, dict[str, Any]] = {}
    requests: list[dict[str, Any]] = []
    owners: list[Case] = []
    for case in cases:
        try:
            request = reference(case)
        except NoReference as reason:
            if options.verbose:
                print(f"left out {case.code!r}: {reason}", file=sys.stderr)
            continue
        requests.append({**request, "modes": options.modes.split(","), "trace": True})
        owners.append(case)
    found_version = ""
    started = time.monotonic()

    def done(index: int, answer: dict[str, Any], version: str) -> None:
        nonlocal found_version
        found_version = version
        rows[owners[index].id] = row_of(owners[index], requests[index], answer)
        if options.verbose:
            print(owners[index].code.replace("\n", "; "), answer, file=sys.stderr)
        if len(rows) % SAVED_EVERY == 0:
            print(f"{len(rows)}/{len(requests)} cases, {time.monotonic() - started:.0f} s", file=sys.stderr)
            if options.output and not options.check:
                _write(options.output, version, {**stored, **rows})

    run_all(requests, done, interpreter=options.interpreter, jobs=options.jobs, seconds=SECONDS)
    return rows, found_version


def row_of(case: Case, request: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    """The row of one case in the file."""
    return {
        "api": case.apis[0] if len(case.apis) == 1 else None,
        "apis": list(case.apis),
        "code": case.code,
        "torch": case.torch,
        "inputs": case.inputs,
        "arguments": case.arguments,
        "shapes": request["shapes"],
        **answer,
    }


def _write(output: Path, version: str, rows: dict[str, Any]) -> None:
    stamp = {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "torch": torch.__version__.partition("+")[0],
    }
    write_facts(
        output, {"framework": "mindspore", "version": version, "device": "CPU", "stamp": stamp, "cases": rows}
    )


def _usual_output(version: str) -> Path:
    return FOLDER / f"measured-{version}.json"


def _stored(path: Path) -> dict[str, Any]:
    """The cases of a file; none if it is not there."""
    if not path.exists():
        return {}
    cases: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return cases


def _check(rows: dict[str, Any], stored: dict[str, Any]) -> int:
    """Print where a measurement says another thing than the file; 1 if it does anywhere."""
    faults = [
        f"{row['code']!r} in {mode}: {row[mode]}, stored: {stored.get(key, {}).get(mode)}"
        for key, row in rows.items()
        for mode in MODES
        if mode in row and row[mode][0] != stored.get(key, {}).get(mode, [None])[0]
    ]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def _is_wanted(case: Case, options: argparse.Namespace) -> bool:
    return not options.only or any(fnmatch.fnmatch(api, glob) for api in case.apis for glob in options.only)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--interpreter", type=Path, default=Path(sys.executable), help="a Python that has MindSpore"
    )
    parser.add_argument(
        "--only", action="append", metavar="GLOB", help="only APIs that match, 'mindspore.mint.*'"
    )
    parser.add_argument("--every", type=int, default=1, help="only every n-th case")
    parser.add_argument("--hand-written", action="store_true", help="only the cases of variants.yaml")
    parser.add_argument("--modes", default=",".join(MODES), help="of " + ", ".join(MODES))
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument("--output", type=Path, help="the file to write, compare or update")
    parser.add_argument("--update", action="store_true", help="keep what the file has of other cases")
    parser.add_argument("--resume", action="store_true", help="with --update: only cases that the file lacks")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail where a result is another one"
    )
    parser.add_argument("--verbose", action="store_true", help="tell each case")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
