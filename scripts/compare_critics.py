#!/usr/bin/env python
"""Ports small critics of a gradient penalty, and compares what is said of their second order with what happens.

Each critic of tests/oracle/critics/critics.yaml becomes a program, which is checked, ported, and checked again. Then
MindSpore takes the gradient of the penalty for every weight, in PyNative, where the port has compiled the inner
gradient. Run it with an interpreter that has torch and MindSpore; it fails where something that is said to be clean is
not."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from string import Template
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "oracle" / "critics"
RIGHT, WRONG, RAISES, ENDED = "right", "wrong", "raises", "no answer"
CLEAN = "clean"
JOBS = 2
ALLOWED = 2e-3  # of the largest gradient of a weight


def main() -> int:
    """Port, run, compare, print; 1 where something clean is not right and no known gap."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="critics; all if left out")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there, too")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="put the programs there and keep them")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = compare(options.keep or Path(folder), options.names)
    for row in rows:
        print(f"{row['name']:24} {row['before']:14} {row['after']:14} {row['ran']:8} {row['text'][:110]}")
    table = Counter((row["after"], row["ran"]) for row in rows)
    for (said, ran), count in sorted(table.items()):
        print(f"{count:4} ports said to be {said}: {ran}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return int(any(row["after"] == CLEAN and row["ran"] != RIGHT and not row["gap"] for row in rows))


def compare(folder: Path, names: list[str]) -> list[dict[str, str]]:
    """A row for each critic: what is said of it before and after it is ported, and what the port does."""
    before, after = folder / "before", folder / "after"
    critics: dict[str, dict[str, str]] = YAML(typ="safe").load(FOLDER / "critics.yaml")
    chosen = names or list(critics)
    for name in chosen:
        for place in (before, after):  # each a project of its own, with its own helpers
            file = place / name / f"critic_{name}.py"
            file.parent.mkdir(parents=True)
            file.write_text(program(critics[name]), encoding="utf-8")
    mindport("fix", "--unsafe-fixes", str(after))
    said = [second_order_findings(place) for place in (before, after)]
    files = [f"{name}/critic_{name}.py" for name in chosen]
    parts = [[(before / file, after / file) for file in files[start::JOBS]] for start in range(JOBS)]
    with ThreadPoolExecutor(JOBS) as threads:
        results = {name: one for part in threads.map(run, parts) for name, one in part.items()}
    rows = []
    for name in chosen:
        ran, text = results[name]
        first, second = (found.get(name, CLEAN) for found in said)
        gap = critics[name].get("gap", "")
        rows.append({"name": name, "before": first, "after": second, "ran": ran, "text": text, "gap": gap})
    return rows


def program(critic: dict[str, str]) -> str:
    """The source of a critic with its penalty and its training."""
    step, made = critic["step"], []
    if "layer" in critic:
        made.append(f"        self.layer = {critic['layer']}")
        step = "self.layer(h)" if step == "layer" else step.replace("layer(", "self.layer(")
    if "end" not in critic:
        made.append("        self.last = nn.Conv2d(4, 1, 3)")
    values = {"made": "\n".join(made), "step": step, "end": critic.get("end", "self.last(h)")}
    return Template((FOLDER / "critic.py.txt").read_text(encoding="utf-8")).substitute(values)


def mindport(*arguments: str) -> str:
    """What the command line prints."""
    command = [sys.executable, "-m", "mindport", *arguments, "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode > 1:
        raise RuntimeError(done.stderr)
    return done.stdout


def second_order_findings(folder: Path) -> dict[str, str]:
    """The codes of the second-order findings of each critic that has some."""
    found: dict[str, set[str]] = {}
    for line in mindport(
        "check", str(folder), "--output-format", "concise", "--min-severity", "hint"
    ).splitlines():
        match = re.match(r"(.+?):\d+:\d+: \w+ (MP20\d)", line)
        if match:
            found.setdefault(Path(match[1]).parent.name, set()).add(match[2])
    return {name: " ".join(sorted(codes)) for name, codes in found.items()}


def run(pairs: list[tuple[Path, Path]]) -> dict[str, tuple[str, str]]:
    """What the ports do, by name, and by how much or with which message they fail."""
    paths = [str(path) for pair in pairs for path in pair]
    command = [sys.executable, str(Path(__file__).resolve().parent / "second_order" / "critic.py"), *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = {ported.parent.name: (ENDED, "") for _, ported in pairs}
    for line in done.stdout.splitlines():
        if not line.startswith('{"ported"'):
            continue
        answer: dict[str, Any] = json.loads(line)
        name = Path(answer["ported"]).parent.name
        if "worst" in answer:
            text = f"{answer['worst']:.2g} {answer['where']}"
            found[name] = (RIGHT if answer["worst"] < ALLOWED else WRONG, text)
        elif "raises" in answer:
            found[name] = (RAISES, answer["raises"])
    return found


if __name__ == "__main__":
    sys.exit(main())
