"""A run of `mindport check` once it is known what it has to do: reports come in file by file, findings go to the
outputs, and the outcome is the exit code. `mindport merge` runs with reports that other runs have made."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from mindport.checking.baseline import Matching
from mindport.checking.findings import problem_finding
from mindport.checking.outcome import FileReport
from mindport.cli.baselines import baselines_of
from mindport.cli.exit_code import exit_code
from mindport.cli.output import warn
from mindport.cli.outputs import OutputRequest, Outputs, write_statistics
from mindport.cli.plan import Group, RunPlan
from mindport.cli.progress import with_progress
from mindport.cli.suppressions import Suppressions
from mindport.config.settings import Settings
from mindport.model.language import later, say
from mindport.report.convert import finding_row, finding_rows
from mindport.report.summary import SummaryCounts
from mindport.report.text import number_of, target_lines
from mindport.rules.discover import all_rules

_GONE = later("in the baseline, but found no more: {findings}; `mindport baseline prune` forgets them")

_ENDED = later("ended early: {done} of {all} were checked")
_REACHED = later("{done} of {all} judged: what the changes can reach")

ReportsOf = Callable[[Group], Iterator[FileReport]]


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be made of the findings. `only_statistics`: they are counted instead of listed; `suppressions` writes
    comments in place of reporting. `is_partial`: only some of the files are judged."""

    requests: Sequence[OutputRequest]
    only_statistics: bool = False
    exit_zero: bool = False
    has_baseline: bool = True
    suppressions: Suppressions | None = None
    is_partial: bool = False


def settings_of_run(plan: RunPlan) -> Settings:
    """The settings that speak for the run as a whole: those of its first group."""
    return plan.groups[0].loaded.settings if plan.groups else Settings()


def run_check(plan: RunPlan, reports_of: ReportsOf, wanted: Wanted) -> int:
    """Write the findings of a run, and give its exit code."""
    counts = SummaryCounts(group.target_row for group in plan.groups)
    settings = settings_of_run(plan)
    fails_from = None if wanted.exit_zero else settings.fails_from
    requests = () if wanted.only_statistics else wanted.requests
    outputs = Outputs(requests, settings, fails_from=fails_from)
    for problem in plan.unreadable:
        finding = problem_finding(problem)
        counts.add_finding(finding.rule, finding.severity, None)
        outputs.row(finding.severity, functools.partial(finding_row, problem.path, finding, None))
    readable = 0
    matchings = baselines_of(plan) if wanted.has_baseline else {}
    reports = _matched(plan, reports_of, matchings)
    judged = 0
    try:
        for report, accepted in with_progress(reports, plan.file_count, "Checking"):
            judged += 1
            readable += report.is_readable
            suppressions = wanted.suppressions
            ignored = suppressions.add(report, accepted) if suppressions is not None else frozenset()
            counts.add_report(report, accepted, ignored)
            for index, (finding, make_row) in enumerate(finding_rows(report)):
                if index not in accepted and index not in ignored:
                    outputs.row(finding.severity, make_row)
    except KeyboardInterrupt:
        outputs.finish_early(counts.summary())
        warn(say(_ENDED, done=judged, all=number_of(plan.file_count, "file")))
        raise
    if wanted.suppressions is not None:
        wanted.suppressions.finish()
    gone = sum(change.gone for matching in matchings.values() for change in matching.changes())
    if gone:
        warn(say(_GONE, findings=number_of(gone, "finding")))
    summary = counts.summary()
    outputs.finish(summary)
    if wanted.only_statistics:
        names = {rule.code: rule.name for rule in all_rules().values()}
        write_statistics(wanted.requests, counts.by_rule(), names)
    if any(request.name == "concise" for request in wanted.requests):
        for line in target_lines(summary):
            warn(line)
    if wanted.is_partial:
        warn(say(_REACHED, done=judged, all=number_of(plan.file_count, "file")))
    nothing_to_read = wanted.is_partial and not judged
    return exit_code(plan, readable or nothing_to_read, counts.has_findings_from(fails_from))


def _matched(
    plan: RunPlan, reports_of: ReportsOf, matchings: Mapping[str, Matching]
) -> Iterator[tuple[FileReport, frozenset[int]]]:
    """The report of each file, and the places of the findings in it that the baseline has."""
    for group in plan.groups:
        matching = matchings.get(group.loaded.root)
        for report in reports_of(group):
            yield report, matching.known(report) if matching is not None else frozenset()
