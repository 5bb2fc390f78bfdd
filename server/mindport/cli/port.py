"""`mindport port`: a project in torch becomes one in MindSpore, beside it or on a branch of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from mindport.check.fixing import fix_paths
from mindport.check.outcome import FileFix
from mindport.cli.exit_code import exit_code
from mindport.cli.main import EXIT_FAILED, EXIT_FINDINGS
from mindport.cli.options import settings_of, target_options
from mindport.cli.output import warn, warn_of, write
from mindport.cli.plan import Plan, plan_run, target_of
from mindport.cli.progress import progress_of
from mindport.cli.trial import try_
from mindport.model.language import say
from mindport.model.target import Device, Mode, Target, Version
from mindport.port.branch import Branch, CannotBranch, branched, go_back_line
from mindport.port.manifest import UnreadableManifest, manifest_file, read_manifest
from mindport.port.outcome import Ending, PortOutcome
from mindport.port.page import PAGE, closing_lines, port_page
from mindport.port.project import Port, port_project
from mindport.report.text import target_line
from mindport.source.discovery import full_path
from mindport.source.problem import ProblemKind
from mindport.source.writing import replace_file


@click.command()
@click.argument("source", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="SOURCE")
@click.option(
    "--output",
    "-o",
    "destination",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the port into DIR; an earlier port there is brought up to date.",
)
@click.option(
    "--in-place", is_flag=True, help="Port the project itself, on a new branch of its git repository."
)
@click.option("--branch", metavar="NAME", help="The branch for --in-place.  [default: mindport-VERSION]")
@click.option(
    "--review-comments", is_flag=True, help="Mark what to review in the files, by `# review:` comments."
)
@click.option("--overwrite", is_flag=True, help="Also write files anew that were edited by hand in DIR.")
@click.option(
    "--respect-gitignore/--no-respect-gitignore",
    default=None,
    help="Leave out what git ignores (default).",
)
@click.option("--try", "is_tried", is_flag=True, help="Then run the port, as `mindport try` does.")
@click.option("--jobs", "-j", type=int, metavar="N", help="How many processes to use; 0 for all cores.")
@target_options
def port(
    source: Path,
    destination: Path | None,
    in_place: bool,
    branch: str | None,
    review_comments: bool,
    overwrite: bool,
    is_tried: bool,
    config_file: str | None,
    **options: Any,
) -> int:
    """Port the project SOURCE: copy it and convert all that can be, also by fixes that a person should look at.

    The exit code is 1 where something of torch is left, 2 where the work could not be done."""
    if in_place == (destination is not None):
        raise click.UsageError(say("say where the port goes: --output DIR, or --in-place"))
    if branch is not None and not in_place:
        raise click.UsageError(say("--branch goes with --in-place"))
    source = Path(os.path.abspath(source))  # noqa: PTH100 - links stay as they are
    overrides = settings_of(options) | {"unsafe-fixes": True}
    plan = plan_run((str(source),), overrides, config_file)
    target = target_of(str(source), overrides, config_file)
    place = source if destination is None else Path(os.path.abspath(destination))  # noqa: PTH100
    made = _branch(source, branch or f"mindport-{target.version}") if in_place else None
    if made is None:
        _check_destination(source, place)
    task = Port(
        source=source,
        destination=place,
        target=Target(Version.parse(target.version), Device(target.device), Mode(target.mode)),
        commit="" if made is None else made.commit,
        comments=review_comments,
        overwrite=overwrite,
        respect_gitignore=all(group.loaded.settings.respect_gitignore for group in plan.groups),
    )
    try:
        with progress_of(say("Porting")) as progress:
            outcome = port_project(task, _fixes(plan, source), progress)
    except OSError as error:
        raise click.ClickException(f"{error.filename or place}: {error.strerror}") from None
    named = target_line(target, target.reasons)
    page = _write_page(task, port_page(outcome, source.name, named))
    warn_of(outcome.problems)
    warn_of(plan.unreadable)
    write("".join(f"{line}\n" for line in (*closing_lines(outcome, page), named)))
    if made is not None:
        write(go_back_line(made) + "\n")
    code = _code(plan, outcome)
    if is_tried and code != EXIT_FAILED:
        return max(code, _tried(place, config_file, options))
    if not is_tried:
        write(say("Next: mindport try {folder} runs it", folder=place) + "\n")
    return code


def _tried(folder: Path, config_file: str | None, options: dict[str, Any]) -> int:
    """The exit code of `mindport try` with the same target and interpreter."""
    context = click.get_current_context()
    shared = {name: options[name] for name in ("device", "target_version", "mode", "interpreter", "locale")}
    code: int = context.invoke(try_, folder=folder, config_file=config_file, **shared)
    return code


def _fixes(plan: Plan, source: Path) -> Iterator[FileFix]:
    """The converted files. In place, too: a new branch holds nothing but what is committed."""
    for group in plan.groups:
        yield from fix_paths(
            group.files,
            group.loaded.settings,
            group.target,
            group.loaded.root,
            unsafe=True,
            allow_dirty=True,
            within=full_path(str(source)),
        )


def _branch(source: Path, name: str) -> Branch:
    try:
        return branched(source, name)
    except CannotBranch as error:
        raise click.UsageError(str(error)) from None


def _check_destination(source: Path, place: Path) -> None:
    """Raises click.UsageError where a port must not be written to a folder."""
    real, other = source.resolve(), place.resolve()
    if real == other or real in other.parents or other in real.parents:
        raise click.UsageError(
            say("{place} and {source} lie in each other: choose a folder beside", place=place, source=source)
        )
    try:
        known = read_manifest(place)
        is_empty = known is not None or not place.exists() or not any(place.iterdir())
    except UnreadableManifest as error:
        file = manifest_file(place)
        raise click.UsageError(say("{file} cannot be read: {reason}", file=file, reason=error)) from None
    except OSError as error:
        raise click.UsageError(f"{place}: {error.strerror}") from None
    if not is_empty:
        raise click.UsageError(
            say("{place} is not empty, and no port that mindport made: choose another folder", place=place)
        )
    if known is not None and Path(os.path.normpath(place / known.source)).resolve() != real:
        other_source = os.path.normpath(place / known.source)
        raise click.UsageError(
            say("{place} holds the port of {source}: choose another folder", place=place, source=other_source)
        )


def _write_page(task: Port, text: str) -> str:
    """Write the page beside the port, and give its name. A file of that name that is the project's own stays."""
    own = task.source / PAGE
    is_own = own.is_file() and own.read_bytes()[:10] != text.encode()[:10]
    name = f"{manifest_file(Path()).parent.as_posix()}/{PAGE}" if is_own else PAGE
    try:
        replace_file(task.destination / name, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        warn(say("{file} cannot be written: {reason}", file=name, reason=error.strerror or error))
    return name


def _code(plan: Plan, outcome: PortOutcome) -> int:
    readable = sum(file.is_python for file in outcome.files)
    unread = sum(problem.kind is not ProblemKind.UNWRITABLE for problem in outcome.problems)
    code = exit_code(plan, readable - unread, has_findings=bool(outcome.left or outcome.problems))
    if code == EXIT_FAILED or outcome.count(Ending.FAILED):
        return EXIT_FAILED
    return EXIT_FINDINGS if outcome.count(Ending.CONFLICT) else code
