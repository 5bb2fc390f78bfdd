#!/usr/bin/env python3
"""Ports whole programs with one command, runs them in torch and in MindSpore, and says how far each comes: it converts,
imports, builds, computes the same, trains the same. tests/programs/README.md describes programs and levels.

Copies lie in a temporary folder outside of any repository, torch's results and the finished ones in .test-cache/."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
PROGRAMS = REPOSITORY / "tests" / "programs"
WITH_FRAMEWORKS = REPOSITORY / ".venv-oracle" / "bin" / "python"

try:
    import msgspec
    import numpy  # noqa: F401
except ImportError:  # any other Python: go on with the one that has the frameworks
    if not WITH_FRAMEWORKS.exists() or Path(sys.prefix) == WITH_FRAMEWORKS.parent.parent:
        raise
    os.execv(WITH_FRAMEWORKS, [str(WITH_FRAMEWORKS), *sys.argv])

sys.path.insert(0, str(PROGRAMS))
from program_bench.bench import Bench, Result, check_driver, predict_only, run_program  # noqa: E402  after the path is set
from program_bench.case import Case, CaseError, read_cases  # noqa: E402
from program_bench.porting import DEFAULT_COMMAND  # noqa: E402
from program_bench.sides import Sides  # noqa: E402
from program_bench.table import line, prediction_line, torch_line, totals  # noqa: E402


def main() -> int:
    """Run the chosen programs and print the table. Exit 1 where a driver fails in torch, 2 where a case is wrong."""
    options = read_options()
    try:
        cases = chosen(options)
    except CaseError as error:
        print(error, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="programs-") as temporary:
        bench = bench_of(options, (options.work or Path(temporary)).resolve())
        results = _run(cases, bench, options)
    print()
    print("\n".join(totals(results)) if not options.torch_only else _torch_total(results))
    if options.output:
        options.output.write_bytes(msgspec.json.format(msgspec.json.encode(results)))
    return int(any(_torch_fails(result, options.torch_only) for result in results))


def chosen(options: argparse.Namespace) -> list[Case]:
    """The programs that the options name. Raises CaseError."""
    cases = read_cases(options.cases or [PROGRAMS / "cases", PROGRAMS / "own"])
    unknown = set(options.only) - {case.id for case in cases}
    if unknown:
        raise CaseError(f"no program is called {sorted(unknown)[0]!r}")
    wanted = ("open", "kept", "later", "own") if options.half == "all" else (options.half,)
    if options.only:
        return [case for case in cases if case.id in options.only]
    return [case for case in cases if case.description.half.value in wanted]


def bench_of(options: argparse.Namespace, work: Path) -> Bench:
    """The bench as the options want it, with its copies in `work`."""
    cache = options.cache.resolve()
    sides = Sides(options.python or Path(sys.executable), cache / "packages")
    return Bench(
        sides,
        options.mindport.split() if options.mindport else _mindport(),
        cache,
        work,
        options.repositories and options.repositories.resolve(),
        options.command,
        options.graph,
        options.resume,
        _sources(),
    )


def _mindport() -> list[str]:
    own = REPOSITORY / ".venv" / "bin" / "python"
    return [str(own if own.exists() else sys.executable), "-I", "-m", "mindport"]


def _sources() -> str:
    """Of mindport's own code and data; what is compiled from them changes with them."""
    everything = hashlib.sha256()
    for folder, pattern in ((REPOSITORY / "server" / "mindport", "*.py"), (REPOSITORY / "mappings", "*")):
        for file in sorted(folder.rglob(pattern)):
            if file.is_file() and not {"_compiled", "__pycache__"} & set(file.parts):
                everything.update(file.read_bytes())
    return everything.hexdigest()


def _run(cases: list[Case], bench: Bench, options: argparse.Namespace) -> list[Result]:
    results = []
    known = {one.id: one for one in _results(options.predict_only)} if options.predict_only else {}
    with ThreadPoolExecutor(options.jobs) as pool:
        function, shown = (check_driver, torch_line) if options.torch_only else (run_program, line)
        if options.predict_only:
            function, shown = (
                lambda case, bench: predict_only(case, bench, known.get(case.id)),
                prediction_line,
            )
        for result in pool.map(lambda case: function(case, bench), cases):
            results.append(result)
            print(shown(result), flush=True)
    return results


def _results(file: Path) -> list[Result]:
    return msgspec.json.decode(file.read_bytes(), type=list[Result])


def _torch_fails(result: Result, torch_only: bool) -> bool:
    return not result.passed_over and bool(result.cause if torch_only else not result.level)


def _torch_total(results: list[Result]) -> str:
    counted = [result for result in results if not result.passed_over]
    good = sum(not result.cause for result in counted)
    return f"{good} of {len(counted)} run in torch, {len(results) - len(counted)} passed over"


def read_options() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--repositories", type=Path, metavar="DIR", help="folder of OWNER+NAME/repo, bare repositories"
    )
    parser.add_argument(
        "--cases", type=Path, nargs="+", metavar="DIR", help="folders of programs instead of the usual"
    )
    parser.add_argument(
        "--half", choices=("open", "kept", "later", "own", "all"), default="open", help="which programs"
    )
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="ID", help="these programs, whatever their half"
    )
    parser.add_argument(
        "--command", default=DEFAULT_COMMAND, help="how mindport ports; {files}, {source}, {destination}"
    )
    parser.add_argument("--mindport", help="what starts mindport")
    parser.add_argument("--python", type=Path, help="the interpreter with both frameworks; else this one")
    parser.add_argument("--torch-only", action="store_true", help="check the drivers: run torch's side twice")
    parser.add_argument(
        "--predict-only",
        type=Path,
        metavar="FILE",
        help="run nothing: compare what is predicted now with the levels in the output of an earlier run",
    )
    parser.add_argument("--graph", action="store_true", help="run the forward pass in graph mode, too")
    parser.add_argument(
        "--resume", action="store_true", help="keep results of unchanged programs and sources"
    )
    parser.add_argument("--jobs", type=int, default=1, help="how many programs at once")
    parser.add_argument("--cache", type=Path, default=REPOSITORY / ".test-cache" / "programs")
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="where the copies are made and kept to be looked at"
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="write all results to one JSON file")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
