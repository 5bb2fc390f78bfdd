#!/usr/bin/env python
"""Draws functions of public packages, ports them with their files, runs both on made-up inputs, and says what differs.

Run it with a Python that has torch, MindSpore and mindport's dependencies (see `oracle` in pyproject.toml). The
packages are downloaded into .test-cache/, where the ports and the results stay, too."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY / "server"), str(REPOSITORY / "tests" / "models"), str(REPOSITORY / "scripts")]

import msgspec  # noqa: E402  after the path is set
from open_bench.packages import Downloads, PackageList, download  # noqa: E402

from function_bench.population import Function, drawn  # noqa: E402
from function_bench.runs import kept, kept_outcomes, outcomes_of  # noqa: E402
from function_bench.trees import SmallClosures, lay_out, ported, remarks_of  # noqa: E402
from function_bench.verdicts import TORCH, Judged, differences, judged, samples_of, table  # noqa: E402

CACHE = REPOSITORY / ".test-cache" / "function_bench"
BENCH = REPOSITORY / "scripts" / "function_bench"


def main() -> int:
    """Draw, port, run and compare package by package; print the table."""
    options = _options()
    packages = msgspec.toml.decode((BENCH / "packages.toml").read_bytes(), type=PackageList)
    downloads = download(packages, options.cache)
    roots = frozenset(package.root for package in packages.package)
    wanted = [
        one.root for one in packages.package if one.drawn and (not options.only or one.root in options.only)
    ]
    is_small = SmallClosures(downloads.sources, roots)
    rows: list[Judged] = []
    for root in wanted:
        results = options.cache / "results" / f"{root}.json"
        if options.resume and results.exists():
            rows += msgspec.json.decode(results.read_bytes(), type=list[Judged])
            continue
        mine = drawn(downloads.sources, [root], options.most, options.seed, is_small)
        found = _run_package(mine, downloads, roots, options.cache / root, options.keep_torch)
        results.parent.mkdir(parents=True, exist_ok=True)
        results.write_bytes(msgspec.json.format(msgspec.json.encode(found)))
        print(f"{root}: {len(found)} functions", file=sys.stderr, flush=True)
        rows += found
    text = f"{differences(rows)}\n\n{table(rows)}\n"
    (options.cache / "report.txt").write_text(text)
    print(text if options.list else table(rows))
    return 0


def _run_package(
    functions: list[Function], downloads: Downloads, roots: frozenset[str], folder: Path, keep_torch: bool
) -> list[Judged]:
    path = [REPOSITORY / "scripts", REPOSITORY / "server", downloads.dependencies]
    torch_runs, keep_torch = BENCH / "torch_runs.py", keep_torch and kept(BENCH / "torch_runs.py", folder)
    original = folder / "torch" if keep_torch else lay_out(downloads.sources, roots, functions, folder)
    tasks = [(one.file, one.name) for one in functions]
    if keep_torch:
        inputs = kept_outcomes(torch_runs, tasks, folder)
    else:
        inputs = outcomes_of(torch_runs, tasks, folder, original, path)
    port = ported(original, folder / "port")
    runnable = [number for number, one in enumerate(inputs) if "samples" in one]
    # Kernels may end the process at an edge, so those run after all others.
    parts = [(n, is_far) for is_far in (False, True) for n in runnable if samples_of(inputs[n], is_far)]
    todo = [
        {"file": functions[n].file, "name": functions[n].name, "samples": samples_of(inputs[n], is_far)}
        for n, is_far in parts
    ]
    outcomes = outcomes_of(BENCH / "mindspore_runs.py", todo, folder, port, path)
    remarks = remarks_of(port)
    rows: dict[int, Judged] = {}
    for (n, is_far), outcome in zip(parts, outcomes, strict=True):
        one = judged(functions[n], samples_of(inputs[n], is_far), outcome, remarks, is_far)
        rows[n] = rows[n].joined(one) if n in rows else one
    said = [one.get("problem") or one.get("died", "") for one in inputs]
    return [
        rows[n] if n in rows else Judged(function, TORCH, message=said[n])
        for n, function in enumerate(functions)
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", default=[], metavar="ROOT", help="packages by their import root")
    parser.add_argument("--most", type=int, default=110, help="how many functions of each package")
    parser.add_argument("--seed", type=int, default=0, help="what the drawing is ordered by")
    parser.add_argument("--resume", action="store_true", help="keep the results that are there")
    parser.add_argument(
        "--keep-torch", action="store_true", help="keep torch's samples; port and run the ports anew"
    )
    parser.add_argument("--list", action="store_true", help="name every function that is not equal")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where packages, ports and results lie")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
