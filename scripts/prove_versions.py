"""Runs the examples of the catalogue with other MindSpore versions than the newest, each in a throw-away environment,
and keeps what was seen in mappings/_evidence. Run it from the development environment."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from framework_facts.environment import throw_away_environment

ROOT = Path(__file__).resolve().parent.parent
EVIDENCE = ROOT / "mappings" / "_evidence"
TORCH = "2.13.0"


def main() -> int:
    """One version after the other; 1 if any could not be run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("versions", nargs="+", metavar="VERSION", help="such as 2.9.0")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep the environments there and use them next time"
    )
    parser.add_argument("--jobs", default="2", help="worker processes")
    options = parser.parse_args()
    return max(prove_version(version, options.keep, options.jobs) for version in options.versions)


def prove_version(version: str, keep: Path | None, jobs: str) -> int:
    """Run everything with one version; 0 where it ran, whether or not all agreed."""
    folder = keep / f"mindspore-{version}" if keep else None
    output = EVIDENCE / f"mindspore-{version}.json"
    with throw_away_environment([f"mindspore=={version}", f"torch=={TORCH}"], folder) as interpreter:
        output.parent.mkdir(exist_ok=True)
        output.unlink(missing_ok=True)  # `prove` keeps what a file holds
        command = [sys.executable, "-m", "mindport", "prove", "--device", "CPU", "--jobs", jobs]
        ran = subprocess.run(
            [*command, "--interpreter", interpreter, "--output", output], cwd=ROOT, check=False
        )
    return 0 if ran.returncode in (0, 1) else 1


if __name__ == "__main__":
    sys.exit(main())
