"""`mindport port`: ports a project into another folder, or in place on a git branch."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from mindport.cli.exit_code import exit_code
from mindport.cli.interpreter import interpreter_to_start
from mindport.cli.main import EXIT_FAILED
from mindport.cli.options import settings_of, target_options
from mindport.cli.output import painter_for_output, warn_of, write
from mindport.cli.plan import RunPlan, plan_run
from mindport.cli.progress import progress_of
from mindport.cli.stale_traces import warn_of_stale_traces
from mindport.cli.trial import try_
from mindport.config.interpreter import installed_mindspore, project_interpreter
from mindport.config.load import LoadedSettings
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.port.convert import PortPart
from mindport.port.lines import port_lines
from mindport.port.outcome import Fate, PortOutcome, PortProblem
from mindport.port.page import page
from mindport.port.run import Port, check_places, port_in_place, port_project
from mindport.source.problem import ProblemKind
from mindport.source.reasons import reason_of
from mindport.source.writing import write_output


@click.command()
@click.argument("source", metavar="SRC", type=click.Path(path_type=Path))
@click.option(
    "--output",
    "-o",
    "destination",
    metavar="DST",
    type=click.Path(path_type=Path),
    help="The folder of the port.",
)
@click.option("--in-place", is_flag=True, help="Change SRC itself, on a new branch of its git repository.")
@click.option(
    "--branch", metavar="NAME", help="What to call the branch; else mindport/ and the target's version."
)
@click.option("--overwrite", is_flag=True, help="Also replace files of the port that were edited by hand.")
@click.option(
    "--review-comments", is_flag=True, help="Put a `# review:` comment above what unsafe fixes have written."
)
@click.option(
    "--report",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the report to FILE instead of PORT.md in the port.",
)
@click.option("--no-report", is_flag=True, help="Write no report.")
@click.option("--copy-large-files", is_flag=True, help="Also copy files of more than 100 MB.")
@click.option(
    "--try/--no-try",
    "is_tried",
    default=None,
    help="Run the port once it is written, as `mindport try` does; else it is asked on a terminal.",
)
@click.option(
    "--extend-exclude", multiple=True, metavar="PATTERN", help="Copy what a pattern matches as it is."
)
@click.option(
    "--respect-gitignore/--no-respect-gitignore", default=None, help="Leave out what git ignores (default)."
)
@target_options
def port(
    source: Path,
    destination: Path | None,
    in_place: bool,
    branch: str | None,
    overwrite: bool,
    review_comments: bool,
    report: Path | None,
    no_report: bool,
    copy_large_files: bool,
    is_tried: bool | None,
    config_file: str | None,
    **options: Any,
) -> int:
    """Port a project: convert a copy of it with all fixes, and say what to review and what is left.

    Run again, it takes up what changed in SRC, and leaves files alone that were edited in DST. The exit code is 1
    where something is left to do, 2 where a file could not be read or written."""
    if in_place == (destination is not None):
        raise click.UsageError(say("name the folder of the port with -o, or give --in-place"))
    if in_place and overwrite:
        raise click.UsageError(say("--overwrite goes with -o, not with --in-place"))
    if branch is not None and not in_place:
        raise click.UsageError(say("--branch goes with --in-place"))
    if report is not None and not report.absolute().parent.is_dir():
        raise click.UsageError(say("the folder of {file} does not exist", file=report))
    try:
        if destination is not None:
            check_places(source, destination)
        elif not source.exists():
            raise PortProblem(say("{folder}: no such file or directory", folder=source))
        plan = plan_run((str(source),), settings_of(options), config_file)
        warn_of_stale_traces(plan.groups)
        work = _work(source, plan, review_comments, report is None and not no_report, copy_large_files)
        with progress_of(say("Porting")) as progress:
            if destination is not None:
                outcome = port_project(work, destination, overwrite=overwrite, progress=progress)
            else:
                outcome = port_in_place(work, branch or _branch_name(plan), progress=progress)
    except PortProblem as problem:
        raise click.UsageError(str(problem)) from None
    if report is not None:
        _write_report(report, outcome)
    write("".join(f"{line}\n" for line in port_lines(outcome, painter_for_output())))
    warn_of(outcome.problems)
    code = _exit_code(plan, outcome)
    loaded = plan.groups[0].loaded if plan.groups else None
    if loaded is not None and _is_to_try(is_tried, loaded):
        given = {name: options[name] for name in ("device", "target_version", "mode", "locale")}
        interpreter = str(interpreter_to_start(loaded))
        tried = click.get_current_context().invoke(
            try_, folder=Path(outcome.destination), interpreter=interpreter, config_file=config_file, **given
        )
        code = max(code, int(tried))
    return code


def _work(source: Path, plan: RunPlan, comments: bool, with_page: bool, with_large_files: bool) -> Port:
    respects = all(group.loaded.settings.respect_gitignore for group in plan.groups)
    parts = tuple(
        PortPart(group.files, group.loaded.settings, group.target, group.loaded.root, group.target_row)
        for group in plan.groups
    )
    return Port(
        source=source,
        parts=parts,
        review_comments=comments,
        with_page=with_page,
        respect_gitignore=respects,
        with_large_files=with_large_files,
    )


def _branch_name(plan: RunPlan) -> str:
    version = plan.groups[0].target.version if plan.groups else "port"
    return f"mindport/{version}"


def _exit_code(plan: RunPlan, outcome: PortOutcome) -> int:
    is_left = any(remark.severity >= Severity.WARNING for remark in outcome.left) or bool(
        outcome.files(Fate.BESIDE)
    )
    code = exit_code(plan, outcome.summary.files, is_left)
    unread = any(problem.kind is not ProblemKind.SYNTAX for problem in outcome.problems)
    return EXIT_FAILED if unread else code


def _is_to_try(is_asked: bool | None, loaded: LoadedSettings) -> bool:
    """Whether to run the port: where that was asked for, or on a terminal for a yes. Nobody is asked where the
    interpreter has no MindSpore."""
    if is_asked is not None:
        return is_asked
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    found = project_interpreter(loaded, os.environ)
    if found is None or installed_mindspore(str(found.path), Path(loaded.root), os.environ) is None:
        return False
    return click.confirm(
        say("Try the port with {interpreter}? This runs its code.", interpreter=found.path), err=True
    )


def _write_report(file: Path, outcome: PortOutcome) -> None:
    try:
        write_output(file, page(outcome).encode("utf-8", "replace"))
    except OSError as error:
        reason = reason_of(error)
        raise click.ClickException(
            say("{file} cannot be written: {reason}", file=file, reason=reason)
        ) from None
