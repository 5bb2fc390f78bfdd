"""`mindport check`: findings on standard output, the outcome in the exit code."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import click

from mindport.checking.choice import PartChoice, ReachedParts, Share
from mindport.checking.git_status import GitFailure
from mindport.checking.outcome import FileReport
from mindport.checking.project import check_paths
from mindport.checking.share_file import Asked
from mindport.cli.check_run import Wanted, run_check, settings_of_run
from mindport.cli.options import (
    file_options,
    format_options,
    outcome_options,
    rule_options,
    settings_of,
    target_options,
)
from mindport.cli.output import warn
from mindport.cli.outputs import requests_of
from mindport.cli.plan import STANDARD_INPUT, Group, RunPlan, plan_run
from mindport.cli.shares import share_of, write_share
from mindport.cli.stale_traces import warn_of_stale_traces
from mindport.cli.suppressions import Suppressions, day_of, remove_idle
from mindport.cli.watch import watch
from mindport.config.problem import ConfigurationError, nearest
from mindport.config.settings import Settings
from mindport.model.language import say
from mindport.rules.discover import all_rules


@click.command()
@file_options
@target_options
@rule_options
@format_options
@outcome_options
@click.option(
    "--add-suppressions",
    is_flag=True,
    help="Write comments into the files that ignore what would be reported.",
)
@click.option("--reason", default="", metavar="TEXT", help="With --add-suppressions: what the comments say.")
@click.option(
    "--until",
    default="",
    metavar="DAY",
    callback=day_of,
    help="With --add-suppressions: the last day that the comments count on, such as 2027-03-31.",
)
@click.option(
    "--remove-suppressions",
    is_flag=True,
    help="First remove the comments from the files that ignore nothing (MP904).",
)
@click.option(
    "--since", metavar="REVISION", help="Judge only what the changes since a revision of git can reach."
)
@click.option(
    "--shard",
    metavar="I/N",
    callback=share_of,
    help="Judge one of N shares and write what `mindport merge` takes into --output-file.",
)
@click.option(
    "--with-edits", is_flag=True, help="Write the fixes out where the format has a place: json, jsonl, sarif."
)
@click.option("--watch", "is_watching", is_flag=True, help="Check again whenever a file changes.")
def check(
    paths: tuple[str, ...],
    stdin_filename: str | None,
    config_file: str | None,
    output_formats: tuple[str, ...],
    output_files: tuple[str, ...],
    no_cache: bool,
    statistics: bool,
    exit_zero: bool,
    no_baseline: bool,
    add_suppressions: bool,
    remove_suppressions: bool,
    reason: str,
    until: str,
    since: str | None,
    shard: Share | None,
    with_edits: bool,
    is_watching: bool,
    **options: Any,
) -> int:
    """Report every use of torch that MindSpore lacks or treats differently.

    PATHS are files and directories, `-` is standard input; without any it is the current directory."""
    for name, given in (("--reason", reason), ("--until", until)):
        if given and not add_suppressions:
            raise click.UsageError(say("{option} goes with --add-suppressions", option=name))
    writes = add_suppressions or remove_suppressions
    if writes and STANDARD_INPUT in paths:
        raise click.UsageError(say("standard input cannot be written to, so its comments stay as they are"))
    alone = {"--shard": shard, "--watch": is_watching}
    for name in (name for name, given in alone.items() if given):
        others = {
            **alone,
            "--since": since and name == "--shard",
            "--statistics": statistics and name == "--shard",
            "--add-suppressions": add_suppressions,
            "--remove-suppressions": remove_suppressions,
            "-": STANDARD_INPUT in paths,
        }
        clash = next((other for other, given in others.items() if given and other != name), None)
        if clash is not None:
            raise click.UsageError(say("{option} does not go with {other}", option=name, other=clash))
    if shard is not None:
        asked = Asked(paths, settings_of(options, for_programs=True), config_file, with_edits)
        return write_share(shard, asked, output_formats, output_files, use_cache=not no_cache)
    requests = requests_of(output_formats, output_files, only_statistics=statistics)
    settings = settings_of(options, any(request.form.for_programs for request in requests))

    def plan_of() -> RunPlan:
        return plan_run(paths, settings, config_file, stdin_filename)

    def run(plan: RunPlan) -> int:
        warn_of_unknown_codes(plan)
        warn_of_stale_traces(plan.groups)
        reports_of = functools.partial(_reports, use_cache=not no_cache, since=since, with_edits=with_edits)
        named = paths or (".",)
        if remove_suppressions:  # before anything is reported: places below them move
            remove_idle((report for group in plan.groups for report in reports_of(group)), named)
        suppressions = Suppressions(settings_of_run(plan), named, reason, until) if add_suppressions else None
        wanted = Wanted(
            requests=requests,
            only_statistics=statistics,
            exit_zero=exit_zero,
            has_baseline=not no_baseline,
            suppressions=suppressions,
            is_partial=since is not None,
        )
        return run_check(plan, reports_of, wanted)

    return watch(plan_of, run) if is_watching else run(plan_of())


def _reports(group: Group, use_cache: bool, since: str | None, with_edits: bool) -> Iterator[FileReport]:
    loaded = group.loaded
    choice: PartChoice | None = None
    if since is not None:
        try:
            choice = ReachedParts.since(since, loaded.settings, loaded.root)
        except GitFailure as error:
            raise ConfigurationError([f"--since: {error}"]) from None
    return check_paths(
        group.files,
        loaded.settings,
        group.target,
        loaded.root,
        use_cache,
        group.overlay,
        choice,
        with_edits,
    )


def warn_of_unknown_codes(plan: RunPlan) -> None:
    """Tell of codes in the settings that no rule begins with: they have no effect."""
    known = tuple(all_rules())
    told: set[str] = set()
    for group in plan.groups:
        settings = group.loaded.settings
        for code in (*settings.select, *settings.ignore, *settings.severity, *_codes(settings)):
            if code != "ALL" and code not in told and not any(rule.startswith(code) for rule in known):
                told.add(code)
                near = nearest(code, known)
                warn(say("warning: no rule begins with {code}{nearest}", code=code, nearest=near))


def _codes(settings: Settings) -> Iterator[str]:
    for codes in settings.per_file_ignores.values():
        yield from codes
