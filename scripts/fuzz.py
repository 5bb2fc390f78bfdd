#!/usr/bin/env python
"""Changes real files at random and looks whether what must hold of every file does (scripts/fuzzing/properties.py).
What fails is kept, to be made a test. The suite runs the first seeds, tests/bad_input/test_mutated_files.py."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY / "scripts")]

from fuzzing.mutations import mutated  # noqa: E402  after the path is set
from fuzzing.properties import failures  # noqa: E402


def main() -> int:
    """Run and print what failed; the exit code is 1 if anything did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[REPOSITORY / "tests" / "sample"])
    parser.add_argument("--files", type=int, default=1000, help="how many mutated files")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument(
        "--keep", type=Path, default=REPOSITORY / ".test-cache" / "fuzz", help="where failures go"
    )
    options = parser.parse_args()
    sys.setrecursionlimit(10_000)
    files = [path.read_bytes() for folder in options.folders for path in sorted(folder.rglob("*.py"))]
    began, failed = time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="mindport-fuzz-") as work:
        for seed in range(options.seed, options.seed + options.files):
            content = mutated(files, seed)
            found = list(failures(content, Path(work)))
            if found:
                failed += 1
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{seed}.py").write_bytes(content)
                print(f"seed {seed}: {'; '.join(found)}", flush=True)
    seconds = time.monotonic() - began
    print(f"{options.files} files in {seconds:.0f} s from {len(files)} real ones: {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
