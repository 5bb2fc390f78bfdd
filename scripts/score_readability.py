#!/usr/bin/env python3
"""Ports programs of the bench and scores how far the text is from what a hand would have written: the longest line that
was added, lambdas, casts, comments that were lost, lines with another layout, and lines of helpers.

Nothing is run but mindport. The kept half of the bench is never read."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
PROGRAMS = REPOSITORY / "tests" / "programs"
sys.path[:0] = [str(REPOSITORY / "server"), str(PROGRAMS)]

import msgspec  # noqa: E402  after the path is set
from program_bench.case import Case, Half, read_cases  # noqa: E402
from program_bench.copies import PassedOverError, make_copy  # noqa: E402
from program_bench.porting import DEFAULT_COMMAND, port  # noqa: E402
from program_bench.readability import Score, helper_lines, median, score_file, total  # noqa: E402

from mindport.registry.location import mappings_folder  # noqa: E402

HELPERS = "torch_equivalents.py"


class Program(msgspec.Struct, frozen=True):
    """The scores of the files of one program that a port changed, and the lines of its modules of helpers."""

    id: str
    files: dict[str, Score]
    module: int

    @property
    def helpers_per_file(self) -> float:
        """Lines of helpers, wherever they stand, for each file that changed."""
        return (self.module + sum(one.helpers for one in self.files.values())) / max(1, len(self.files))


def main() -> int:
    """Print a line for each program and the totals; write all scores where `--output` says."""
    options = _options()
    programs = []
    print(f"{'program':24}" + "".join(f"{name:>9}" for name in COLUMNS))
    with tempfile.TemporaryDirectory(prefix="readability-") as temporary:
        for case in _chosen(options):
            program = _scored(case, options, (options.work or Path(temporary)).resolve())
            if program is not None:
                programs.append(program)
                print(_line(program), flush=True)
    print()
    print("\n".join(_totals(programs)))
    if options.output:
        options.output.write_bytes(msgspec.json.format(msgspec.json.encode(programs)))
    return 0


def _chosen(options: argparse.Namespace) -> list[Case]:
    cases = [case for case in read_cases([PROGRAMS / "cases"]) if case.description.half is not Half.KEPT]
    if options.only:
        return [case for case in cases if case.id in options.only]
    return [case for case in cases if case.description.half.value == options.half]


def _scored(case: Case, options: argparse.Namespace, work: Path) -> Program | None:
    """The scores of a program; None where its repository is not there."""
    try:
        original = make_copy(case, options.repositories, work / case.id / "torch")
    except PassedOverError as error:
        print(f"{case.id}: passed over: {error}", file=sys.stderr)
        return None
    mindport = [sys.executable, "-I", "-m", "mindport"]
    ported = port(original, work / case.id / "mindspore", mindport, DEFAULT_COMMAND)
    if ported.problem:
        print(f"{case.id}: {ported.problem}", file=sys.stderr)
        return None
    names = [path.stem for path in (mappings_folder() / "_helpers").glob("*.py")]
    files = {}
    for name in original.files:  # the driver is ours, not the repository's
        if not name.endswith(".py"):
            continue
        before, after = (
            (folder / name).read_text("utf-8", "replace") for folder in (original.folder, ported.folder)
        )
        if before != after:
            try:
                files[name] = score_file(before, after, names)
            except SyntaxError:  # a file of Python 2 is left as it is but for what was certain
                continue
    module = sum(helper_lines(path.read_text("utf-8")) for path in ported.folder.rglob(HELPERS))
    return Program(case.id, files, module)


COLUMNS = ("files", "changed", "longest", "too long", "lambdas", "casts", "comments", "needless", "helpers")


def _line(program: Program) -> str:
    score = total(program.files.values())
    cells = (
        score.files,
        score.changed,
        score.longest,
        score.too_long,
        score.lambdas,
        score.casts,
        score.comments,
        score.needless,
        round(program.helpers_per_file),
    )
    return f"{program.id:24}" + "".join(f"{cell:9}" for cell in cells)


def _totals(programs: list[Program]) -> list[str]:
    scores = [score for program in programs for score in program.files.values()]
    score = total(scores)
    module = sum(program.module for program in programs)
    return [
        f"{len(programs)} programs, {score.files} changed files, {score.changed} changed lines of {score.lines}",
        f"longest changed line: median of files {median(one.longest for one in scores):.0f}, most {score.longest}",
        f"lines over 120 columns that were put in: {score.too_long}; lambdas: {score.lambdas};"
        f" casts to int32: {score.casts}",
        f"comments lost: {score.comments}; lines where only the layout changed: {score.needless}",
        f"lines of helpers: {score.helpers} in users' files (median of files"
        f" {median(one.helpers for one in scores):.0f}), {module} in modules of their own;"
        f" {1000 * (score.helpers + module) / max(1, score.lines):.0f} for 1,000 lines;"
        f" for each changed file, median of programs {median(one.helpers_per_file for one in programs):.0f}",
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--repositories", type=Path, metavar="DIR", required=True, help="OWNER+NAME/repo, bare"
    )
    parser.add_argument("--half", choices=["open", "later"], default="open")
    parser.add_argument("--only", nargs="+", metavar="ID", default=[], help="these programs")
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep the copies and the ports there")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the scores of all files as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
