"""`mindport inventory`: one row for every reference to torch, with what can be said of it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import click

from mindport.checking.counting import IMPORT_LINES
from mindport.checking.inventory import inventory_paths
from mindport.checking.outcome import FileInventory
from mindport.cli.exit_code import exit_code
from mindport.cli.main import EXIT_FAILED
from mindport.cli.options import file_options, format_options, settings_of, target_options
from mindport.cli.output import warn, warn_of
from mindport.cli.outputs import Outputs, requests_of
from mindport.cli.plan import Group, RunPlan, plan_run
from mindport.cli.progress import with_progress
from mindport.config.settings import Settings
from mindport.model.finding import Severity
from mindport.report.convert import inventory_row
from mindport.report.summary import SummaryCounts
from mindport.report.text import target_lines
from mindport.source.problem import FAILURES, ProblemKind


@click.command()
@file_options
@target_options
@format_options
def inventory(
    paths: tuple[str, ...],
    stdin_filename: str | None,
    config_file: str | None,
    output_formats: tuple[str, ...],
    output_files: tuple[str, ...],
    no_cache: bool,
    **options: Any,
) -> int:
    """List every reference to torch: place, name, form, verdict and fix.

    PATHS are files and directories, `-` is standard input; without any it is the current directory."""
    requests = requests_of(output_formats, output_files, environment={})
    for_programs = any(request.form.for_programs for request in requests)
    plan = plan_run(paths, settings_of(options, for_programs), config_file, stdin_filename)
    counts = SummaryCounts(group.target_row for group in plan.groups)
    outputs = Outputs(requests, Settings(), lists_references=True)
    readable = 0
    has_failed = False
    for group, file in with_progress(_inventories(plan), plan.file_count, "Listing"):
        counts.add_file()
        if file.problem is not None:
            warn_of([file.problem])
        # Of a file that does not parse, all but the broken part is listed.
        readable += file.problem is None or file.problem.kind is ProblemKind.SYNTAX
        has_failed |= file.problem is not None and file.problem.kind in FAILURES
        for reference in file.references:
            if reference.apart != IMPORT_LINES:
                counts.add_reference(
                    reference.use.api, reference.verdict, reference.fix, apart=reference.apart
                )
            make_row = functools.partial(inventory_row, file.path, reference, group.target, file.cells)
            outputs.row(Severity.ERROR, make_row)  # a reference has no severity: all are shown
    summary = counts.summary()
    outputs.finish(summary)
    if any(request.name == "concise" for request in requests):
        for line in target_lines(summary):
            warn(line)
    warn_of(plan.unreadable)
    code = exit_code(plan, readable, has_findings=False)
    return EXIT_FAILED if has_failed else code


def _inventories(plan: RunPlan) -> Iterator[tuple[Group, FileInventory]]:
    for group in plan.groups:
        for file in inventory_paths(
            group.files, group.loaded.settings, group.target, group.loaded.root, group.overlay
        ):
            yield group, file
