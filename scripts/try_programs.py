#!/usr/bin/env python3
"""Ports the programs of the bench as `scripts/run_programs.py` does, lets `mindport try` loose on each port with the
driver's functions as entries, and says where the two disagree on what imports, builds, runs forward and trains. Whether
numbers are torch's is the bench's business alone: here a stage is reached when it raises nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import run_programs  # goes on with the interpreter that has the frameworks, and sets the path

# isort: split
import msgspec
from program_bench.bench import Bench, run_program
from program_bench.case import Case, CaseError
from program_bench.sides import SideReport

_NETS = "(lambda nets: nets if isinstance(nets, tuple) else (nets,))(build())"
_VALUES = (
    "[value() if callable(value) and not hasattr(value, 'shape') else value for value in {call}.values()]"
)
ENTRIES = {
    "builds": "driver.py: build()",
    "forward": f"driver.py: {_VALUES.format(call=f'forward(*{_NETS})')}",
    "trains": f"driver.py: {_VALUES.format(call=f'train(*{_NETS})')}",
}
STEPS = 10**6  # the bench runs drivers to their end, and so what belongs to a second network, too


def main() -> int:
    """Run the chosen programs and print a line for each; exit 1 where they agree in less than 95 of 100."""
    options = run_programs.read_options()
    try:
        cases = run_programs.chosen(options)
    except CaseError as error:
        print(error, file=sys.stderr)
        return 2
    agreed = asked = 0
    with tempfile.TemporaryDirectory(prefix="programs-") as temporary:
        bench = run_programs.bench_of(options, (options.work or Path(temporary)).resolve())
        for case in cases:
            wanted, found = _both(case, bench)
            differing = [name for name in wanted if wanted[name] != found.get(name)]
            asked += len(wanted)
            agreed += len(wanted) - len(differing)
            print(f"{case.id:<24} {_words(wanted)}", flush=True)
            for name in differing:
                print(f"    {name}: the bench says {wanted[name]}, try says {found.get(name)}", flush=True)
    share = 100 * agreed / max(1, asked)
    print(f"agree in {agreed} of {asked}, {share:.1f} %")
    return int(share < 95)


def _both(case: Case, bench: Bench) -> tuple[dict[str, bool], dict[str, bool]]:
    """Which stages raise nothing, by the bench and by try; those that were not run are in neither."""
    result = run_program(case, bench)
    if result.passed_over or not result.level:
        return {}, {}
    folder = bench.work / case.id
    report = msgspec.json.decode((folder / "mindspore-outputs.json").read_bytes(), type=SideReport)
    ran = {"imports": report.stages["driver"].ok}
    for name in ENTRIES:
        stage = "train" if name == "trains" else name
        if stage in report.stages:
            ran[name] = report.stages[stage].ok and not any(
                part.startswith(f"{stage}/") for part in report.parts
            )
    command = [
        *bench.mindport,
        "try",
        str(folder / "mindspore"),
        "--original",
        str(folder / "torch"),
        "--json",
    ]
    command += ["--device", "CPU", "--interpreter", str(bench.sides.python), "--steps", str(STEPS)]
    command += [word for name in ENTRIES if name in ran for word in ("--entry", ENTRIES[name])]
    environment = bench.sides.environment(case, "mindspore", folder / "mindspore")
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    (folder / "try.json").write_text(done.stdout)
    attempts = json.loads(done.stdout)["attempts"]
    runs = {one["name"] for one in attempts if one["status"] == "runs"}
    return ran, {"imports": "driver.py" in runs, **{name: entry in runs for name, entry in ENTRIES.items()}}


def _words(stages: dict[str, bool]) -> str:
    return ", ".join(f"{name} {'runs' if good else 'fails'}" for name, good in stages.items())


if __name__ == "__main__":
    sys.exit(main())
