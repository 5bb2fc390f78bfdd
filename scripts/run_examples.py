#!/usr/bin/env python3
"""Runs what repositories show of themselves, blocks of Python in their pages and main blocks of their files, in torch
and, ported with one command, where torch cannot be imported.

Nobody writes a driver, so any repository will do: `--repositories` is a folder with OWNER+NAME/repo, bare. An example
counts that ends well in torch, without options or data; it is right if its port ends well, too, and leaves tensors of
the same shapes and dtypes and layers with as many numbers. Values are not compared: tests/programs does that, and its
kept half, which nobody looks into, is left out here."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
CASES = REPOSITORY / "tests" / "programs" / "cases"
WITH_FRAMEWORKS = REPOSITORY / ".venv-oracle" / "bin" / "python"
sys.path[:0] = [str(REPOSITORY / "tests" / "programs"), str(REPOSITORY / "tests"), str(REPOSITORY / "server")]

try:
    import msgspec
    from example_bench.examples import Repository, repositories_in
    from example_bench.running import Example, Settings, examples_of
    from program_bench.case import read_cases
except ImportError:  # any other Python: go on with the one that has the frameworks
    if not WITH_FRAMEWORKS.exists() or Path(sys.prefix) == WITH_FRAMEWORKS.parent.parent:
        raise
    os.execv(WITH_FRAMEWORKS, [str(WITH_FRAMEWORKS), *sys.argv])


def main() -> int:
    """Run all examples of the chosen repositories and print what fails, and a table. Exit 2 where nothing is there."""
    options = _options()
    chosen = _chosen(options)
    if not chosen:
        print(f"nothing of what was named is in {options.repositories}", file=sys.stderr)
        return 2
    rows: list[Example] = []
    with tempfile.TemporaryDirectory(prefix="examples-") as temporary:
        work = (options.work or Path(temporary)).resolve()
        settings = Settings(work, options.seconds, options.patience, options.packages)
        for repository, under in chosen:
            found = examples_of(repository, under, settings)
            rows += found
            right = sum(not one.problem for one in found)
            print(f"{repository.name:50} {right:4} of {len(found):4}", flush=True)
            for one in found:
                if one.problem:
                    print(
                        f"    {one.file}: {' '.join(one.problem.split())[:300]} {one.at and f'at {one.at}'}",
                        flush=True,
                    )
    right = sum(not one.problem for one in rows)
    print(f"\n{right} of {len(rows)} examples of {len(chosen)} repositories run and leave the same")
    if options.output:
        options.output.write_bytes(msgspec.json.format(msgspec.json.encode(rows)))
    return 0


def _chosen(options: argparse.Namespace) -> list[tuple[Repository, str]]:
    kept = {case.description.repository for case in read_cases([CASES]) if case.description.half == "kept"}
    stored = {one.name: one for one in repositories_in(options.repositories) if one.name not in kept}
    if not options.only:
        return [(repository, "") for repository in stored.values()]
    named = [word.partition(":") for word in options.only]
    return [(stored[name], under) for name, _, under in named if name in stored]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repositories", type=Path, required=True, help="folder with OWNER+NAME/repo")
    parser.add_argument(
        "--only", nargs="+", metavar="OWNER/NAME[:FOLDER]", help="these repositories, or folders of them"
    )
    parser.add_argument(
        "--packages", type=Path, help="folder of packages that examples import, such as einops"
    )
    parser.add_argument("--work", type=Path, help="keep both copies and all output here")
    parser.add_argument("--output", type=Path, help="write all results as JSON")
    parser.add_argument(
        "--seconds", type=int, default=60, help="an example that takes longer in torch is left out (60)"
    )
    parser.add_argument(
        "--patience", type=int, default=4, help="times as long that it may take when ported (4)"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
