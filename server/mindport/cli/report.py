"""`mindport report`: everything about the migration of a project on one page."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from mindport.checking.survey import FileSurvey, survey_paths
from mindport.cli.exit_code import exit_code
from mindport.cli.options import file_options, settings_of, target_options
from mindport.cli.output import warn, warn_of, write_data
from mindport.cli.outputs import write_file
from mindport.cli.plan import RunPlan, plan_run, target_of
from mindport.cli.progress import with_progress
from mindport.report.json_text import json_text
from mindport.report.migration.build import project_report
from mindport.report.migration.page import html_page
from mindport.report.migration.plain import csv_table, markdown_page
from mindport.report.migration.progress import NoReport, progress
from mindport.report.migration.rows import MigrationReport, ProgressRow
from mindport.report.visible import visible

_FORMATS = ("html", "json", "csv", "markdown")
_SUFFIXES = {
    ".html": "html",
    ".htm": "html",
    ".json": "json",
    ".csv": "csv",
    ".md": "markdown",
    ".markdown": "markdown",
}


@click.command()
@file_options
@target_options
@click.option("--output", "-o", metavar="FILE", help="Write to this file instead of standard output.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(_FORMATS),
    help="How to write it; else what the suffix of FILE says, else html.",
)
@click.option("--compare", metavar="FILE", help="Set the figures beside those of an earlier report in JSON.")
@click.option(
    "--editor",
    type=click.Choice(("vscode", "idea")),
    help="Make the places of the page links into this editor on this machine.",
)
@click.option(
    "--dated", is_flag=True, help="Print today's date; without it the same input gives the same bytes."
)
def report(
    paths: tuple[str, ...],
    stdin_filename: str | None,
    config_file: str | None,
    output: str | None,
    output_format: str | None,
    compare: str | None,
    editor: str | None,
    dated: bool,
    no_cache: bool,
    **options: Any,
) -> int:
    """Make the migration report of a project: readiness, checklist, hard APIs, order of porting, reference check.

    PATHS are files and directories of one project; without any it is the current directory."""
    form = output_format or _SUFFIXES.get(Path(output or "").suffix.lower(), "html")
    overrides = settings_of(options)
    if form in ("json", "csv"):  # for programs, which are not to depend on who runs them
        overrides["locale"] = "en"
    plan = plan_run(paths, overrides, config_file, stdin_filename)
    folder = project_folder(paths)
    surveys = list(with_progress(_surveys(plan), plan.file_count, "Reading"))
    made = datetime.date.today().isoformat() if dated else ""
    target = target_of(folder, overrides, config_file)
    made_report = project_report(target, surveys, folder)
    if compare is not None:
        made_report = msgspec.structs.replace(made_report, progress=_progress(compare, made_report))
    where = (editor, Path(folder).as_posix()) if editor is not None else ("", "")
    text = _written(made_report, form, made, *where)
    warn_of(plan.unreadable)
    if output is None:
        write_data(text)
    else:
        write_file(output, text)
        warn(f"wrote {output}")
    return exit_code(plan, sum(survey.report.is_readable for survey in surveys), has_findings=False)


def project_folder(paths: tuple[str, ...]) -> str:
    """The folder that holds all the paths."""
    named = [path for path in paths if path != "-"] or ["."]
    folders = [os.path.abspath(path if Path(path).is_dir() else Path(path).parent) for path in named]  # noqa: PTH100
    return os.path.commonpath(folders)


def _progress(path: str, report: MigrationReport) -> tuple[ProgressRow, ...]:
    """The rows for `--compare`. Raises a usage error where the file is no report."""
    try:
        return progress(Path(path).read_bytes(), report)
    except OSError as error:
        raise click.BadParameter(f"{path}: {error.strerror}", param_hint="--compare") from None
    except NoReport as error:
        reason = f"{path} is no report in JSON (mindport report -o report.json): {error}"
        raise click.BadParameter(reason, param_hint="--compare") from None


def _written(report: MigrationReport, form: str, made: str, editor: str, folder: str) -> str:
    if form == "json":
        return json_text(report)
    if form == "csv":
        return visible(csv_table(report))
    if form == "markdown":
        return visible(markdown_page(report, made))
    return visible(html_page(report, made, editor, folder))


def _surveys(plan: RunPlan) -> Iterator[FileSurvey]:
    for group in plan.groups:
        loaded = group.loaded
        yield from survey_paths(group.files, loaded.settings, group.target, loaded.root, group.overlay)
