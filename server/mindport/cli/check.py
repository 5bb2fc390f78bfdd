"""`mindport check`: findings on standard output, the outcome in the exit code."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

import click

from mindport.check.baseline import Matching
from mindport.check.findings import problem_finding
from mindport.check.outcome import FileReport
from mindport.check.project import check_paths
from mindport.cli.baselines import baselines_of
from mindport.cli.exit_code import exit_code
from mindport.cli.options import file_options, format_options, rule_options, settings_of, target_options
from mindport.cli.output import warn
from mindport.cli.outputs import Outputs, refuse_statistics, requests_of, write_statistics
from mindport.cli.plan import STANDARD_INPUT, RunPlan, plan_run
from mindport.cli.progress import with_progress
from mindport.cli.stale_traces import warn_of_stale_traces
from mindport.cli.suppressions import Suppressions
from mindport.config.problem import nearest
from mindport.config.settings import Settings
from mindport.model.language import later, say
from mindport.report.convert import finding_row, finding_rows
from mindport.report.summary import SummaryCounts
from mindport.report.text import number_of, target_lines
from mindport.rules.discover import all_rules

_GONE = later("in the baseline, but found no more: {findings}; `mindport baseline prune` forgets them")


@click.command()
@file_options
@target_options
@rule_options
@format_options
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of listing them.")
@click.option(
    "--fail-on",
    metavar="[hint|information|warning|error|never]",
    help="The lowest severity that ends the run with exit code 1 (warning).",
)
@click.option(
    "--add-suppressions",
    is_flag=True,
    help="Write comments into the files that ignore what would be reported.",
)
@click.option("--reason", default="", metavar="TEXT", help="With --add-suppressions: what the comments say.")
@click.option("--no-baseline", is_flag=True, help="Report what mindport-baseline.json has, too.")
@click.option("--exit-zero", is_flag=True, help="End with exit code 0 even where there are findings.")
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
    reason: str,
    **options: Any,
) -> int:
    """Report every use of torch that MindSpore lacks or treats differently.

    PATHS are files and directories, `-` is standard input; without any it is the current directory."""
    requests = requests_of(output_formats, output_files)
    if reason and not add_suppressions:
        raise click.UsageError(say("--reason goes with --add-suppressions"))
    if add_suppressions and STANDARD_INPUT in paths:
        raise click.UsageError(say("standard input cannot be written to, so it takes no comments"))
    if statistics:
        refuse_statistics(requests)
    for_programs = any(request.form.for_programs for request in requests)
    plan = plan_run(paths, settings_of(options, for_programs), config_file, stdin_filename)
    warn_of_unknown_codes(plan)
    warn_of_stale_traces(plan.groups)
    counts = SummaryCounts(group.target_row for group in plan.groups)
    settings = plan.groups[0].loaded.settings if plan.groups else Settings()
    fails_from = None if exit_zero else settings.fails_from
    outputs = Outputs(() if statistics else requests, settings, fails_from=fails_from)
    for problem in plan.unreadable:
        finding = problem_finding(problem)
        counts.add_finding(finding.rule, finding.severity, None)
        outputs.row(finding.severity, functools.partial(finding_row, problem.path, finding, None))
    readable = 0
    suppressions = Suppressions(settings, reason) if add_suppressions else None
    matchings = {} if no_baseline else baselines_of(plan)
    reports = _reports(plan, matchings, use_cache=not no_cache)
    for report, accepted in with_progress(reports, plan.file_count, "Checking"):
        readable += report.is_readable
        ignored = suppressions.add(report, accepted) if suppressions is not None else frozenset()
        counts.add_report(report, accepted, ignored)
        for index, (finding, make_row) in enumerate(finding_rows(report)):
            if index not in accepted and index not in ignored:
                outputs.row(finding.severity, make_row)
    if suppressions is not None:
        suppressions.finish()
    gone = sum(change.gone for matching in matchings.values() for change in matching.changes())
    if gone:
        findings = number_of(gone, "finding")
        warn(say(_GONE, findings=findings))
    summary = counts.summary()
    outputs.finish(summary)
    if statistics:
        write_statistics(requests, counts.by_rule(), {rule.code: rule.name for rule in all_rules().values()})
    if any(request.name == "concise" for request in requests):
        for line in target_lines(summary):
            warn(line)
    return exit_code(plan, readable, counts.has_findings_from(fails_from))


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


def _reports(
    plan: RunPlan, matchings: Mapping[str, Matching], use_cache: bool
) -> Iterator[tuple[FileReport, frozenset[int]]]:
    """The report of each file, and the places of the findings in it that the baseline has."""
    for group in plan.groups:
        matching = matchings.get(group.loaded.root)
        for report in check_paths(
            group.files, group.loaded.settings, group.target, group.loaded.root, use_cache, group.overlay
        ):
            yield report, matching.known(report) if matching is not None else frozenset()
