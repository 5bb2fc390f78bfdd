"""`mindport baseline`: accept the findings that are there, see how many are left, and forget those that are gone."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click

from mindport.checking.baseline import Baseline, FileChange, Matching, baseline_text
from mindport.checking.project import check_paths
from mindport.cli.baselines import baseline_of, baseline_path, matching_of
from mindport.cli.exit_code import exit_code
from mindport.cli.group import CommandGroup
from mindport.cli.main import EXIT_FAILED
from mindport.cli.options import file_options, rule_options, settings_of, target_options
from mindport.cli.output import warn, warn_of, write, write_data
from mindport.cli.outputs import write_file
from mindport.cli.plan import Group, plan_run
from mindport.cli.progress import with_progress
from mindport.model.language import say
from mindport.report.json_text import json_text
from mindport.report.text import number_of
from mindport.report.visible import terminal_columns

_DEPTH = 2


@click.group(cls=CommandGroup)
def baseline() -> None:
    """Accept the findings that are there now, so that a check speaks of new ones only.

    They are kept in mindport-baseline.json beside the settings, which `mindport check` reads."""


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    return file_options(target_options(rule_options(command)))


@baseline.command("write", short_help="Accept everything that is found now.")
@_options
def write_(**options: Any) -> int:
    """Accept everything that is found now. Files outside of PATHS keep what was accepted in them."""
    matchings, code = _matched(options, for_programs=False)
    for group, matching in matchings if code != EXIT_FAILED else ():
        _write(group, matching.as_found(str(group.target)))
    return code


@baseline.command(short_help="Forget what is found no more, and accept nothing new.")
@_options
def prune(**options: Any) -> int:
    """Forget what is found no more, and accept nothing new."""
    matchings, code = _matched(options, for_programs=False)
    for group, matching in matchings if code != EXIT_FAILED else ():
        if baseline_of(group) is not None:
            _write(group, matching.pruned(str(group.target)))
    return code


@baseline.command(short_help="Show how much is left of what was accepted, by directory.")
@_options
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    default=_DEPTH,
    show_default=True,
    metavar="N",
    help="How many levels of directories to tell apart.",
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object, with a row for each file.")
def compare(depth: int, as_json: bool, **options: Any) -> int:
    """Show how much is left of what was accepted, by directory. The exit code is 1 where there is something new."""
    matchings, code = _matched(options, as_json)
    changes = [change for _, matching in matchings for change in matching.changes()]
    total = _sum("", changes)
    if as_json:
        document = {"files": changes, "total": total}
        write_data(json_text(document))
    else:
        for line in _table(changes, total, depth):
            write(line + "\n")
    return code or int(total.new > 0)


def _matched(options: dict[str, Any], for_programs: bool) -> tuple[list[tuple[Group, Matching]], int]:
    """Every group of the run with what its baseline has of its findings, and the exit code of a run without new ones.
    Raises ConfigurationError."""
    paths, no_cache = options.pop("paths"), options.pop("no_cache")
    config_file, stdin_filename = options.pop("config_file"), options.pop("stdin_filename")
    plan = plan_run(paths, settings_of(options, for_programs), config_file, stdin_filename)
    matchings = [(group, matching_of(group, baseline_of(group) or Baseline())) for group in plan.groups]
    readable = sum(with_progress(_matched_files(matchings, not no_cache), plan.file_count, "Checking"))
    warn_of(plan.unreadable)
    return matchings, exit_code(plan, readable, has_findings=False)


def _matched_files(matchings: Sequence[tuple[Group, Matching]], use_cache: bool) -> Iterator[bool]:
    """Go through the files, and give for each whether it could be read."""
    for group, matching in matchings:
        loaded = group.loaded
        for report in check_paths(
            group.files, loaded.settings, group.target, loaded.root, use_cache, group.overlay
        ):
            matching.known(report)
            yield report.is_readable


def _write(group: Group, accepted: Baseline) -> None:
    path = baseline_path(group)
    write_file(str(path), baseline_text(accepted))
    files = len({one.file for one in accepted.findings})
    warn(
        say(
            "wrote {file}: {findings} in {files}",
            file=path,
            findings=number_of(accepted.count, "finding"),
            files=number_of(files, "file"),
        )
    )


def _table(changes: Sequence[FileChange], total: FileChange, depth: int) -> Iterator[str]:
    """A line for each directory, the last for all of them."""
    by_directory: dict[str, list[FileChange]] = {}
    for change in changes:
        parts = posixpath.dirname(change.file).split("/")[:depth]
        by_directory.setdefault("/".join(parts) or ".", []).append(change)
    rows = [(name, _sum(name, found)) for name, found in sorted(by_directory.items())]
    named = [(say("directory"), None), *rows, (say("all"), total)]
    width = max(terminal_columns(name) for name, _ in named)
    for name, row in named:
        cells = (
            (say("accepted"), say("now"), say("new"), say("gone"))
            if row is None
            else (row.accepted, row.now, row.new, row.gone)
        )
        padded = (" " * max(2, 10 - terminal_columns(str(cell))) + str(cell) for cell in cells)
        yield name + " " * (width - terminal_columns(name)) + "".join(padded)


def _sum(name: str, changes: Sequence[FileChange]) -> FileChange:
    return FileChange(
        name,
        sum(change.accepted for change in changes),
        sum(change.now for change in changes),
        sum(change.new for change in changes),
        sum(change.gone for change in changes),
    )
