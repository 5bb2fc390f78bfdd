#!/usr/bin/env python
"""Ports sixty model files of public packages by safe fixes alone and says how far each comes: import, build, weights,
forward, gradient, three training steps, and the forward pass in graph mode.

Run it with a Python that has torch, MindSpore and mindport's dependencies (see `oracle` in pyproject.toml). The
packages are downloaded into .test-cache/, where the ports and the results stay, too."""

from __future__ import annotations

import argparse
import fnmatch
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY / "server"), str(REPOSITORY / "tests" / "models")]

import msgspec  # noqa: E402  after the path is set
from open_bench.bench import STAGES, Result, run_model  # noqa: E402
from open_bench.entries import Model, drawn_models  # noqa: E402
from open_bench.packages import download, read_list  # noqa: E402
from open_bench.population import drawing_order  # noqa: E402

CACHE = REPOSITORY / ".test-cache" / "model_bench"


def main() -> int:
    """Run, print a line for each model and the totals, keep the results as JSON."""
    options = _options()
    packages = read_list()
    downloads = download(packages, options.cache)
    order = drawing_order(downloads.sources, [package.root for package in packages.package if package.drawn])
    models = [one for one in drawn_models(order) if any(fnmatch.fnmatch(one.file, o) for o in options.only)]
    roots = frozenset(package.root for package in packages.package)

    def run(model: Model) -> tuple[Result, float]:
        name = model.file.replace("/", ".").removesuffix(".py")
        kept = options.cache / "results" / f"{name}.json"
        if options.resume and kept.exists():
            return msgspec.json.decode(kept.read_bytes(), type=Result), 0.0
        before = time.perf_counter()
        result = run_model(model, downloads, roots, options.cache / "ports" / name, not options.no_graph)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(msgspec.json.format(msgspec.json.encode(result)))
        return result, time.perf_counter() - before

    results = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for result, seconds in pool.map(run, models):
            results.append(result)
            print(_line(result, seconds), flush=True)
            if options.trace:
                print(result.trace)
    if options.output:
        options.output.write_bytes(msgspec.json.format(msgspec.json.encode(results)))
    totals = {stage: sum(stage in result.reached for result in results) for stage in STAGES}
    print(f"\n{len(results)} models: " + ", ".join(f"{count} {stage}" for stage, count in totals.items()))
    return 0


def _line(result: Result, seconds: float) -> str:
    problem = result.problem or result.graph_problem
    shown = " ".join(problem.partition("\n\n")[0].split())[:160]
    graph = "graph" if "graph" in result.reached else "     "
    without_graph = [stage for stage in result.reached if stage != "graph"]
    return f"{(without_graph or ['none'])[-1]:9}{graph} {seconds:4.0f} s  {result.file}  {shown}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", nargs="+", default=["*"], metavar="GLOB", help="models by the path of their file"
    )
    parser.add_argument("--resume", action="store_true", help="keep the results that are there")
    parser.add_argument("--jobs", type=int, default=1, help="how many at once")
    parser.add_argument("--no-graph", action="store_true", help="leave graph mode out")
    parser.add_argument("--trace", action="store_true", help="show where in the code it went wrong")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where packages, ports and results lie")
    parser.add_argument("--output", type=Path, help="write all results of this run to one JSON file")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
