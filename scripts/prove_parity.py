#!/usr/bin/env python3
"""Trains the programs of tests/models/parity to the end, in torch and ported, with several seeds each; says whether the
final figures of the two sides overlap, and draws their curves.

Results are kept in .test-cache/parity/ by the texts that ran, so a run that was ended goes on where it was. It needs a
Python with torch and MindSpore (`scripts/setup oracle`), and installs scikit-learn beside it."""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parent.parent
PROGRAMS = REPOSITORY / "tests" / "models" / "parity"
BY_HAND = REPOSITORY / "tests" / "models" / "parity_by_hand"
CACHE = REPOSITORY / ".test-cache" / "parity"
PACKAGES = ["scikit-learn==1.9.1", "joblib", "threadpoolctl", "cloudpickle", "narwhals"]
SIDES = ("torch", "MindSpore")
SIGNIFICANT = 0.05

sys.path[:0] = [str(REPOSITORY / "scripts"), str(REPOSITORY / "server")]
from mindport.registry.probe_process import FASTER  # noqa: E402
from parity.picture import picture  # noqa: E402  after the path is set


class Run(NamedTuple):
    """One training: the figure after some steps, and the seconds of a step."""

    curve: list[tuple[int, float]]
    seconds: float

    @property
    def final(self) -> float:
        """The figure at the end."""
        return self.curve[-1][1]


def main() -> int:
    """Run what is lacking, print a row for each program, and draw. 1 where a side is significantly another one."""
    options = _options()
    port = _ported()
    if options.cost:
        print("| program | port, ms | by hand, ms | ratio |\n|---|--:|--:|--:|")
        for by_hand in sorted(BY_HAND.glob("*.py")):
            if not options.only or by_hand.stem in options.only:
                print(_cost(port / by_hand.name, by_hand, options.cost), flush=True)
        return 0
    found: dict[str, dict[str, list[Run]]] = {}
    for program in sorted(PROGRAMS.glob("*.py")):
        if options.only and program.stem not in options.only:
            continue
        for seed, side in itertools.product(range(options.seeds), SIDES):
            script = program if side == "torch" else port / program.name
            run = _run(script, seed, options.seconds, is_kept_only=options.kept)
            if run is not None:
                found.setdefault(program.stem, {name: [] for name in SIDES})[side].append(run)
    rows = [_row(name, runs) for name, runs in found.items() if all(runs.values())]
    print("| program | torch | MindSpore | p | step |\n|---|---|---|--:|--:|")
    print("\n".join(text for text, _ in rows))
    if options.picture:
        curves = {
            name: {side: [run.curve for run in runs[side]] for side in SIDES} for name, runs in found.items()
        }
        options.picture.write_text(picture(curves), encoding="utf-8")
    return int(any(p < SIGNIFICANT for _, p in rows))


def _cost(port: Path, by_hand: Path, turns: int) -> str:
    """A line of the other table: what a step takes in the port and in the same program by hand, which take turns."""
    taken: dict[Path, list[float]] = {port: [], by_hand: []}
    for _, script in itertools.product(range(turns), taken):
        done = subprocess.run(
            [sys.executable, script, "--epochs", "2"],
            capture_output=True,
            text=True,
            env=_environment(),
            check=True,
        )
        taken[script].append(json.loads(done.stdout.splitlines()[-1])["seconds"])
    mine, other = (1000 * statistics.median(seconds) for seconds in taken.values())
    return f"| {port.stem} | {mine:.1f} | {other:.1f} | {mine / other:.2f} |"


def _environment() -> dict[str, str]:
    return {**FASTER, **os.environ, "PYTHONPATH": str(_packages()), "OMP_NUM_THREADS": "1", "GLOG_v": "3"}


def _row(name: str, runs: dict[str, list[Run]]) -> tuple[str, float]:
    """A line of the table, and how likely the two sides are apart as far by chance."""
    finals = {side: [run.final for run in runs[side]] for side in SIDES}
    p = permutation_test(finals["torch"], finals["MindSpore"])
    seconds = {side: statistics.median(run.seconds for run in runs[side]) for side in SIDES}
    cells = " | ".join(
        f"{statistics.mean(values):.3f} ({min(values):.3f} to {max(values):.3f}, {len(values)} seeds)"
        for values in finals.values()
    )
    return f"| {name} | {cells} | {p:.2f} | {seconds['MindSpore'] / seconds['torch']:.1f} |", p


def permutation_test(one: list[float], other: list[float]) -> float:
    """The share of all ways to part the values into two such groups in which the means are at least as far apart."""
    both = [*one, *other]
    seen = abs(statistics.mean(one) - statistics.mean(other))
    ways = list(itertools.combinations(range(len(both)), len(one)))
    far = 0
    for way in ways:
        first = [both[place] for place in way]
        second = [value for place, value in enumerate(both) if place not in way]
        far += abs(statistics.mean(first) - statistics.mean(second)) >= seen - 1e-12
    return far / len(ways)


def _ported() -> Path:
    """The programs, ported anew."""
    folder = CACHE / "port"
    python = REPOSITORY / ".venv" / "bin" / "python"
    command = [python if python.exists() else sys.executable, "-I", "-m", "mindport", "port", PROGRAMS]
    subprocess.run(["rm", "-rf", folder], check=True)
    # It says so by 1 that something is to be reviewed.
    subprocess.run([*command, "-o", folder, "--device", "CPU"], check=False, stdout=subprocess.DEVNULL)
    return folder


def _run(script: Path, seed: int, seconds: float, *, is_kept_only: bool) -> Run | None:
    """The kept result of a program with a seed, else a new one; None where it took too long or failed."""
    texts = b"".join(
        path.read_bytes() for path in (script, *sorted(script.parent.glob("torch_equivalents.py")))
    )
    side = "torch" if script.parent == PROGRAMS else "MindSpore"
    kept = CACHE / f"{script.stem}-{side}-{seed}-{hashlib.sha256(texts).hexdigest()[:12]}.jsonl"
    if not kept.exists():
        if is_kept_only:
            return None
        print(f"{script.stem}: {side}, seed {seed}", file=sys.stderr, flush=True)
        environment = _environment()
        command = [sys.executable, script, "--seed", str(seed)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=seconds)
        except subprocess.TimeoutExpired:
            print(f"{script.stem}: {side}, seed {seed}: more than {seconds:.0f} seconds", file=sys.stderr)
            return None
        if done.returncode:
            print(f"{script.stem}: {side}, seed {seed}: {done.stderr.strip()[-300:]}", file=sys.stderr)
            return None
        kept.write_text("".join(f"{line}\n" for line in done.stdout.splitlines() if line.startswith("{")))
    rows = [json.loads(line) for line in kept.read_text().splitlines()]
    curve = [(row["step"], row["value"]) for row in rows if "step" in row]
    return Run(curve, next(row["seconds"] for row in rows if "seconds" in row))


def _packages() -> Path:
    folder = CACHE / "packages"
    if not folder.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder]
        subprocess.run([*pip, *PACKAGES], check=True)
    return folder


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="PROGRAM", default=[], help="these programs")
    parser.add_argument("--seeds", type=int, default=5, metavar="N")
    parser.add_argument("--seconds", type=float, default=3600, metavar="N", help="limit of one training")
    parser.add_argument(
        "--cost",
        type=int,
        metavar="N",
        help="compare steps with tests/models/parity_by_hand instead, N turns each",
    )
    parser.add_argument("--kept", action="store_true", help="run nothing: print and draw what is kept")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw the curves there, as SVG")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
