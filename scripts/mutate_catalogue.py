#!/usr/bin/env python
"""Changes the catalogue in one place at a time, and says how many of these mutants the runs behind its claims catch.

Run it with a Python that has torch and MindSpore. What a mutant writes for the examples of its mapping is run like the
evidence of run_oracles.py; it is caught where a sample gives another outcome than the catalogue as it is."""

from __future__ import annotations

import argparse
import importlib.metadata
import sys
import time
from collections import Counter
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY / "scripts"), str(REPOSITORY / "server")]

from mindport.mapping.index import load_index  # noqa: E402  after the path is set
from mindport.prove.proof import target_of  # noqa: E402
from mutation.population import Mutant, part_of, population  # noqa: E402
from mutation.trial import ATTACKED, CAUGHT, REFUSED, SURVIVED, UNKNOWN, UNWRITTEN, Judged, Trial  # noqa: E402

TARGET = target_of(importlib.metadata.version("mindspore"), "CPU")


def main() -> int:
    """Draw, run, report; 0 if the share that is caught is at least --floor."""
    options = _options()
    index = load_index()
    mappings = {
        file: mapping for file, mapping in index.mappings() if file.startswith(("torch/", "torchvision/"))
    }
    everything = [one for one in population(mappings, TARGET) if _is_wanted(one, options)]
    chosen, parts = part_of(everything, options.sample, options.seed)
    print(
        f"{len(chosen)} of {len(everything)} mutants, part {options.seed % parts} of {parts}", file=sys.stderr
    )
    found: list[Judged] = []
    started = time.monotonic()

    def done(judged: Judged) -> None:
        found.append(judged)
        if len(found) % 50 == 0:
            print(f"{len(found)}/{len(chosen)}, {time.monotonic() - started:.0f} s", file=sys.stderr)

    Trial(mappings, index, TARGET, Path(sys.executable), options.seconds).run(chosen, options.jobs, done)
    found.sort(key=lambda judged: (judged.mutant.kind, judged.mutant.place, judged.mutant.change))
    print(_table(found))
    for judged in found:
        if judged.fate in (SURVIVED, UNWRITTEN, UNKNOWN) or options.all:
            mutant = judged.mutant
            print(f"{judged.fate}: {mutant.kind}: {mutant.place}: {mutant.change} {judged.how}".rstrip())
    fates = Counter(judged.fate for judged in found)
    share = _share(fates)
    unknown = fates[UNWRITTEN] + fates[UNKNOWN]
    print(f"{share:.1%} of {len(found) - unknown} mutants caught; {unknown} that may be no other catalogue")
    return 0 if share >= options.floor else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=0, help="about so many mutants (0: all)")
    parser.add_argument(
        "--seed", type=int, default=0, help="which part of them: consecutive numbers give every part"
    )
    parser.add_argument("--kind", action="append", metavar="TEXT", help="only kinds that contain this")
    parser.add_argument("--only", action="append", metavar="TEXT", help="only places that contain this")
    parser.add_argument("--all", action="store_true", help="list those that are caught, too, and how")
    parser.add_argument("--floor", type=float, default=0.0, help="the least share that has to be caught")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument("--seconds", type=float, default=20.0, help="time limit of one sample")
    return parser.parse_args()


def _is_wanted(mutant: Mutant, options: argparse.Namespace) -> bool:
    return (not options.kind or any(text in mutant.kind for text in options.kind)) and (
        not options.only or any(text in mutant.place for text in options.only)
    )


def _share(fates: Counter[str]) -> float:
    caught = fates[CAUGHT] + fates[ATTACKED] + fates[REFUSED]
    return caught / (caught + fates[SURVIVED]) if caught + fates[SURVIVED] else 1.0


def _table(found: list[Judged]) -> str:
    columns = (CAUGHT, ATTACKED, REFUSED, SURVIVED, UNWRITTEN, UNKNOWN)
    lines = [f"{'kind of mutant':30}" + "".join(f"{name:>16}" for name in columns) + f"{'share':>9}"]
    kinds = Counter(judged.mutant.kind for judged in found)
    for kind in [*sorted(kinds), "all"]:
        fates = Counter(judged.fate for judged in found if kind in ("all", judged.mutant.kind))
        lines.append(
            f"{kind:30}" + "".join(f"{fates[name]:16}" for name in columns) + f"{_share(fates):9.1%}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
