#!/usr/bin/env python
"""Measures typing, batch runs and start-up, each against a peer in the same run: machines differ, ratios less so."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY / "scripts")]

from benches import (  # noqa: E402  after the path is set
    batch,
    corpus,
    growth,
    indexing,
    kept_baseline,
    open_files,
    package_fixes,
    scale,
    start_up,
    typing_speed,
)

BENCHES = ("typing", "batch", "start-up")
LONG_BENCHES = ("index", "growth", "scale", "fixes", "baseline", "open")  # only by name: they take minutes


def main() -> int:
    """Run the benches that were asked for and print their figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "bench",
        nargs="*",
        metavar="BENCH",
        help=f"which ones: {', '.join(BENCHES)} (all of these if none); {', '.join(LONG_BENCHES)}",
    )
    parser.add_argument(
        "--cache", type=Path, default=REPOSITORY / ".test-cache" / "bench", help="where downloads are kept"
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--packages", nargs="*", default=(), help="for `fixes` and `scale`: which packages, instead of all"
    )
    parser.add_argument(
        "--files", type=int, default=scale.FILES, help="for `scale`: of the warm run; 0: none"
    )
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=growth.SIZES, help="for `growth`: lines of each monorepo"
    )
    parser.add_argument(
        "--shares", type=int, default=growth.SHARES, help="for `growth`: how many of the last one"
    )
    parser.add_argument(
        "--repository", type=Path, help="for `baseline`: the git directory of a repository with a history"
    )
    parser.add_argument("--commits", type=int, default=kept_baseline.COMMITS, help="for `baseline`: how many")
    parser.add_argument("--project", type=Path, help="for `open`: the folder that is opened")
    parser.add_argument("--edits", type=int, default=open_files.EDITS, help="for `open`: how many")
    options = parser.parse_args()
    chosen = options.bench or BENCHES
    unknown = [name for name in chosen if name not in BENCHES + LONG_BENCHES]
    if unknown:
        parser.error(f"no such bench: {', '.join(unknown)}")
    if "baseline" in chosen and options.repository is None:
        parser.error("`baseline` needs a --repository")
    if "open" in chosen and options.project is None:
        parser.error("`open` needs a --project")
    cache = options.cache.resolve()
    package = corpus.fetched(cache) if chosen != ["open"] else cache
    for name in chosen:
        if name == "typing":
            lines = typing_speed.run(package, corpus.TIMM.long_file, options.repeats)
        elif name == "batch":
            lines = batch.run(package, options.repeats)
        elif name == "growth":
            lines = growth.run(options.sizes, options.shares)
        elif name == "scale":
            lines = scale.run(cache, options.repeats, tuple(options.packages), options.files)
        elif name == "fixes":
            lines = package_fixes.run(cache, tuple(options.packages))
        elif name == "baseline":
            lines = kept_baseline.run(options.repository, options.commits)
        elif name == "open":
            lines = open_files.run(options.project, edits=options.edits)
        elif name == "index":
            lines = indexing.run(corpus.fetched(cache, corpus.LARGE), corpus.LARGE.long_file)
        else:
            lines = start_up.run(options.repeats)
        print("\n".join(lines), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
