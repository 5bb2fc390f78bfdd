"""`mindport fix`: applies fixes in place, into another directory, or only shows them as a diff."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click

from mindport.checking.fixing import fix_paths
from mindport.checking.out_of_reach import OutOfReach
from mindport.checking.outcome import FileFix
from mindport.cli.baselines import baselines_of
from mindport.cli.check import warn_of_unknown_codes
from mindport.cli.exit_code import exit_code
from mindport.cli.fix_writer import FixWriter
from mindport.cli.main import EXIT_FAILED, EXIT_FINDINGS
from mindport.cli.options import file_options, rule_options, settings_of, target_options
from mindport.cli.output import warn, warn_of, write_bytes
from mindport.cli.plan import RunPlan, plan_run
from mindport.cli.progress import with_progress
from mindport.cli.stale_traces import warn_of_stale_traces
from mindport.model.language import later, say
from mindport.report.rows import Summary
from mindport.report.summary import SummaryCounts
from mindport.report.text import number_of, target_lines
from mindport.report.visible import visible_name
from mindport.source.problem import Problem, ProblemKind
from mindport.source.text import content_of, encode_source

_MOST_FILES = 3
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@click.command()
@file_options
@target_options
@rule_options
@click.option(
    "--unsafe-fixes", is_flag=True, default=None, help="Apply fixes that a person should look at, too."
)
@click.option(
    "--diff", "is_diff", is_flag=True, help="Write nothing; print what would change (exit 1 if anything)."
)
@click.option(
    "--output",
    "-o",
    "directory",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Write all files into DIR.",
)
@click.option(
    "--allow-dirty", is_flag=True, help="Also change files that have changes which are not committed."
)
def fix(
    paths: tuple[str, ...],
    stdin_filename: str | None,
    config_file: str | None,
    no_cache: bool,
    is_diff: bool,
    directory: str | None,
    allow_dirty: bool,
    **options: Any,
) -> int:
    """Apply the fixes that are proved right for the target.

    A file is changed in place only where it has no uncommitted changes or lies outside a repository. Standard
    input (path `-`) is written to standard output."""
    if is_diff and directory is not None:
        raise click.UsageError("--diff writes nothing, so it does not go with --output")
    plan = plan_run(paths, settings_of(options), config_file, stdin_filename)
    warn_of_stale_traces(plan.groups)
    warn_of_unknown_codes(plan)
    counts = SummaryCounts(group.target_row for group in plan.groups)
    base = common_directory(paths) if directory is not None else ""
    touches_disk = not is_diff and directory is None
    writer = FixWriter(OutOfReach(paths or (".",)) if touches_disk else None, directory, base)
    fixed, changed, readable = 0, 0, 0
    problems: list[Problem] = []
    torch_steps: list[str] = []
    held_back = 0
    fixes = _fixes(plan, allow_dirty or not touches_disk, writer.out_of_reach, base.replace(os.sep, "/"))
    for file, accepted in with_progress(fixes, plan.file_count, "Fixing"):
        readable += file.report.is_readable
        counts.add_report(file.report, accepted)  # what is left, which `mindport check` shows
        if file.problem is not None or file.before is None or file.after is None:
            problems += [file.problem] if file.problem is not None else []
            if directory is not None:
                problems += writer.copy(file.path)
            continue
        is_changed = file.after.text != file.before.text
        if is_diff:
            write_bytes(diff_of(file))
        elif _is_standard_input(file, plan):
            write_bytes(encode_source(file.after))
        else:
            is_changed = is_changed and not writer.is_written(file)
            problem = writer.write(file) if is_changed or directory is not None else None
            if problem is not None:
                problems.append(problem)
                continue
        changed += is_changed
        fixed += file.applied if is_changed else 0
        if file.torch_steps:
            torch_steps.append(file.path)
        held_back += file.held_back
    warn_of(problems)
    warn_of(writer.notes, "note")
    warn_of(plan.unreadable)
    for line in _closing_lines(
        counts.summary(), fixed, changed, is_diff, _between_frameworks(torch_steps, held_back)
    ):
        warn(line)
    lowest = plan.groups[0].loaded.settings.fails_from if plan.groups else None
    code = exit_code(plan, readable, counts.has_findings_from(lowest))
    if code == EXIT_FAILED or any(problem.kind is not ProblemKind.SYNTAX for problem in problems):
        return EXIT_FAILED
    return EXIT_FINDINGS if is_diff and changed else code


def common_directory(paths: Sequence[str]) -> str:
    """The directory that the written files keep their place below: the one that was named, or the one that
    holds all that were."""
    directories = [
        os.path.abspath(path if os.path.isdir(path) else os.path.dirname(path) or ".")  # noqa: PTH100, PTH112, PTH120
        for path in paths or (".",)
    ]
    return os.path.commonpath(directories)


def diff_of(file: FileFix) -> bytes:
    """The change of a file as a unified diff in the file's own encoding, as patch tools need it. Lines are
    what they take for lines: up to a line feed."""
    assert file.before is not None
    assert file.after is not None
    mark = "\ufeff" if file.before.has_bom else ""
    before, after = (_LINE.findall(mark + content_of(source)) for source in (file.before, file.after))
    name = visible_name(file.path.replace(os.sep, "/").lstrip("/"))
    old = "/dev/null" if file.is_new else f"a/{name}"
    lines = difflib.unified_diff(before, after, old, f"b/{name}")
    codecs = [("utf-8", "surrogateescape")] * 2  # of the two lines with the name
    own = (file.before.encoding, "backslashreplace")
    return b"".join(
        (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n").encode(
            *(codecs.pop() if codecs else own)
        )
        for line in lines
    )


def _is_standard_input(file: FileFix, plan: RunPlan) -> bool:
    return any(file.path in group.overlay for group in plan.groups)


def _between_frameworks(files: Sequence[str], held_back: int) -> Iterator[str]:
    """What is said where training steps stay torch's: what they train has stayed so, too, or has become MindSpore."""
    if not files:
        return
    shown = say(", ").join([*files[:_MOST_FILES], *(["..."] if len(files) > _MOST_FILES else [])])
    if held_back:
        sentence = later(
            "Held back: {count} around training steps in {files}, which no safe fix converts: mindport fix "
            "--unsafe-fixes or mindport port converts them together"
        )
        yield say(sentence, count=number_of(held_back, "file"), files=shown)
    else:
        sentence = later(
            "The program is between two frameworks: training steps of torch are left in {files}, while other code "
            "became MindSpore. They are to be rewritten by hand: mindport check says why they stay"
        )
        yield say(sentence, files=shown)


def _closing_lines(
    summary: Summary, fixed: int, changed: int, is_diff: bool, between: Iterable[str]
) -> Iterator[str]:
    sentence = later("Would apply {fixes} in {files}") if is_diff else later("Applied {fixes} in {files}")
    yield say(sentence, fixes=number_of(fixed, "fix"), files=number_of(changed, "file"))
    yield from between
    left = summary.by_severity["error"] + summary.by_severity["warning"]
    if left:
        yield say("{findings} left (mindport check shows them)", findings=number_of(left, "warning or error"))
    if unsafe := summary.fixable["unsafe"]:
        yield say("{count} more can be fixed with --unsafe-fixes; look at the result", count=unsafe)
    yield from target_lines(summary)


def _fixes(
    plan: RunPlan, allow_dirty: bool, out_of_reach: OutOfReach | None, within: str
) -> Iterator[tuple[FileFix, frozenset[int]]]:
    """Each file before and after its fixes, and the places of the findings left in it that the baseline has."""
    matchings = baselines_of(plan)
    for group in plan.groups:
        settings = group.loaded.settings
        matching = matchings.get(group.loaded.root)
        for file in fix_paths(
            group.files,
            settings,
            group.target,
            group.loaded.root,
            group.overlay,
            unsafe=settings.unsafe_fixes,
            allow_dirty=allow_dirty,
            out_of_reach=out_of_reach,
            within=within,
        ):
            yield file, matching.known(file.report) if matching is not None else frozenset()
