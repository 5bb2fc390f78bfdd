"""Batch runs: `mindport check` of a whole package, without and with a warm cache, against a bare `ast.parse` of the
same files."""

from __future__ import annotations

import sys
from pathlib import Path

from benches.measure import cost_of, medians

PARSE = """
import ast, pathlib, sys, warnings
warnings.simplefilter("ignore")
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.py")):
    ast.parse(path.read_bytes())
"""


def run(package: Path, repeats: int) -> list[str]:
    """The figures, as lines of text."""
    check = [sys.executable, "-m", "mindport", "check", "--output-format", "concise", str(package)]
    cost_of(check, package)  # fills the cache
    measured = medians(
        {
            "ast.parse": lambda: cost_of([sys.executable, "-c", PARSE, str(package)], package),
            "check --no-cache --jobs 1": lambda: cost_of([*check, "--no-cache", "--jobs", "1"], package),
            "check --no-cache": lambda: cost_of([*check, "--no-cache"], package),
            "check, warm cache": lambda: cost_of(check, package),
        },
        repeats,
    )
    files = sorted(package.rglob("*.py"))
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    base = measured["ast.parse"]
    report = [f"batch: {len(files)} files, {lines:,} lines; processor time, median of {repeats}"]
    for name, cost in measured.items():
        ratio = cost.processor / base.processor
        report.append(
            f"  {name:28} {cost.processor:7.2f} s  {ratio:5.2f} x ast.parse  (wall {cost.wall:.2f} s)"
        )
    return report
