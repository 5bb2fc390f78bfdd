"""The shares of a check: one machine judges each, and `mindport merge` makes one result of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from mindport.checking.choice import Share
from mindport.checking.outcome import FileReport
from mindport.checking.project import check_paths
from mindport.checking.share_file import (
    Asked,
    ShareFile,
    complete_shares,
    merged_reports,
    packed,
    read_share,
    run_digest,
    share_bytes,
)
from mindport.cli.check_run import Wanted, run_check
from mindport.cli.exit_code import exit_code
from mindport.cli.options import format_options, outcome_options, settings_of
from mindport.cli.output import warn
from mindport.cli.outputs import FileFailed, requests_of, write_content
from mindport.cli.plan import Group, RunPlan, plan_run
from mindport.cli.progress import with_progress
from mindport.config.problem import ConfigurationError
from mindport.model.language import later, say
from mindport.report.text import number_of

_SHARE = re.compile(r"(\d{1,4})/(\d{1,4})")
_WROTE = later("share {number}/{count}: {files} of {all} judged, written to {file}")


def share_of(context: click.Context, parameter: click.Parameter, value: str | None) -> Share | None:
    """The share that `I/N` names. Raises BadParameter."""
    if value is None:
        return None
    match = _SHARE.fullmatch(value)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise click.BadParameter(say("{value!r} is no share; 2/8 is the second of eight", value=value))
    return Share(int(match[1]), int(match[2]))


def write_share(
    share: Share, asked: Asked, formats: Sequence[str], files: Sequence[str], use_cache: bool
) -> int:
    """Judge one share of a run and write it. Findings do not fail it: the merged result does. Raises UsageError and
    FileFailed."""
    if formats or len(files) != 1:
        raise click.UsageError(
            say("--shard needs one --output-file and no format; `mindport merge` writes the formats")
        )
    plan = plan_run(asked.paths, asked.settings, asked.config_file)
    reports, readable = {}, 0
    for report in with_progress(_judged(plan, share, asked, use_cache), plan.file_count, "Checking"):
        reports[report.path] = packed(report)
        readable += report.is_readable
    written = ShareFile(share.number, share.count, asked, _digest(plan, asked), reports)
    write_content(files[0], share_bytes(written))
    judged, everything = len(reports), number_of(plan.file_count, "file")
    warn(say(_WROTE, number=share.number, count=share.count, files=judged, all=everything, file=files[0]))
    return exit_code(plan, readable or not reports, has_findings=False)


def _judged(plan: RunPlan, share: Share, asked: Asked, use_cache: bool) -> Iterator[FileReport]:
    for group in plan.groups:
        yield from check_paths(
            group.files,
            group.loaded.settings,
            group.target,
            group.loaded.root,
            use_cache,
            choice=share,
            with_edits=asked.with_edits,
        )


@click.command()
@click.argument("shares", nargs=-1, required=True, metavar="SHARE...", type=click.Path(path_type=str))
@format_options
@outcome_options
def merge(
    shares: tuple[str, ...],
    output_formats: tuple[str, ...],
    output_files: tuple[str, ...],
    statistics: bool,
    fail_on: str | None,
    no_baseline: bool,
    exit_zero: bool,
) -> int:
    """Make one result of what `mindport check --shard` wrote: the same, byte for byte, as that of one run.

    SHARES are the files of all shares. It runs in the folder that they ran in, or in another copy of it."""
    requests = requests_of(output_formats, output_files, only_statistics=statistics)
    found = {file: read_share(_content(file), file) for file in shares}
    asked = complete_shares(found)
    settings = {**asked.settings, **settings_of({"fail_on": fail_on})}
    plan = plan_run(asked.paths, settings, asked.config_file)
    digest = _digest(plan, asked)
    for file, share in found.items():
        if share.digest != digest:
            raise ConfigurationError(
                [say("{file}: other files, settings or another mindport than there are here", file=file)]
            )

    def reports_of(group: Group) -> Iterator[FileReport]:
        return merged_reports(tuple(found.values()), group.files)

    wanted = Wanted(
        requests=requests,
        only_statistics=statistics,
        exit_zero=exit_zero,
        has_baseline=not no_baseline,
    )
    return run_check(plan, reports_of, wanted)


def _digest(plan: RunPlan, asked: Asked) -> str:
    return run_digest(
        [(group.loaded.root, group.loaded.settings, group.target, group.files) for group in plan.groups],
        asked.with_edits,
    )


def _content(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise FileFailed(f"{file}: {error.strerror}") from None
