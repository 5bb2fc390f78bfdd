"""`mindport try`: imports the files of a port and runs its entries, and says how far each comes."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any

import click

from mindport import __version__
from mindport.checking.project import check_paths
from mindport.cli.interpreter import interpreter_to_start
from mindport.cli.language import speak_as, terminal_language
from mindport.cli.main import EXIT_FAILED, EXIT_FINDINGS
from mindport.cli.options import settings_of, target_options
from mindport.cli.output import painter_for_output, warn, write, write_data
from mindport.cli.plan import plan_run, target_of
from mindport.cli.progress import progress_of
from mindport.config.load import load_settings
from mindport.config.target import resolve_target
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.prove.trial import Trial, TrialEntry, original_of, try_port, usual_memory
from mindport.prove.trial_outcome import FileLine, TrialOutcome
from mindport.report.convert import finding_row
from mindport.report.json_text import json_text
from mindport.report.rows import FindingRow
from mindport.report.trial import trial_lines, trial_output
from mindport.report.trial_bundle import bundle_of
from mindport.source.writing import write_output

_FORMATS = ("text", "json")


@click.command()
@click.argument(
    "folder", type=click.Path(exists=True, file_okay=False, path_type=Path), default=".", required=False
)
@click.option(
    "--entry",
    "entries",
    multiple=True,
    metavar="CODE",
    help="Run this instead of the scripts that are found: 'train.py --epochs 1', 'model.py: Net(10)'.",
)
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="TEXT",
    help="One argument of the network that an entry builds: 'randn(2, 3, 32, 32)'. Give it once for each.",
)
@click.option(
    "--args", "arguments", default="", metavar="TEXT", help="Arguments for the scripts that are found."
)
@click.option(
    "--original",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder that was ported; else the port's own manifest says it.",
)
@click.option(
    "--steps",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="After how many training steps to stop.",
)
@click.option(
    "--seconds", type=click.FloatRange(1), default=120, show_default=True, help="The most each may take."
)
@click.option(
    "--memory",
    type=click.FloatRange(0.1),
    metavar="GB",
    help="The most memory each may take; else three quarters of what is free.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Write one JSON object; the same as --output-format json."
)
@click.option(
    "--output-format", type=click.Choice(_FORMATS), default="text", help="How to write the results."
)
@click.option(
    "--bundle",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write what an issue needs to know, without code.",
)
@click.option("--with-code", is_flag=True, help="Put the code around the failures into the bundle.")
@click.option("--trace", is_flag=True, help="Show the calls that led to each failure, and what was printed.")
@target_options
def try_(
    folder: Path,
    entries: tuple[str, ...],
    inputs: tuple[str, ...],
    arguments: str,
    original: Path | None,
    steps: int,
    seconds: float,
    memory: float | None,
    as_json: bool,
    output_format: str,
    bundle: Path | None,
    with_code: bool,
    trace: bool,
    config_file: str | None,
    **options: Any,
) -> int:
    """Try a port: import its files, run its scripts until the first training step, without torch.

    FOLDER is the port. This runs its code, in processes of their own. The exit code is 1 where something fails, 2 where
    nothing could be tried."""
    is_json = as_json or output_format == "json"
    overrides = settings_of(options, for_programs=is_json)
    loaded = load_settings(".", overrides, config_file=config_file, language=terminal_language())
    speak_as(loaded.settings)
    if bundle is not None and not bundle.absolute().parent.is_dir():
        raise click.UsageError(say("the folder of {file} does not exist", file=bundle))
    trial = Trial(
        folder=folder,
        entries=tuple(_entry(text, folder, inputs) for text in entries),
        arguments=_words(arguments),
        original=original,
        steps=steps,
        seconds=seconds,
        memory=memory if memory is not None else usual_memory(),
        exclude=tuple(loaded.settings.all_excludes),
    )
    if inputs and not any(entry.code for entry in trial.entries):
        raise click.UsageError(
            say("--input goes with an entry that is an expression: --entry 'model.py: Net()'")
        )
    interpreter = interpreter_to_start(loaded)
    target, _ = resolve_target(loaded.settings, Path(loaded.root))
    with progress_of(say("Trying")) as progress:
        outcome = try_port(trial, target, interpreter, progress)
    source = original_of(folder.absolute(), original)
    findings = _findings(outcome, source, overrides, config_file)
    row = target_of(".", overrides, config_file)
    document = trial_output(outcome, findings, row, __version__)
    if is_json:
        write_data(json_text(document))
    elif not outcome.problem:
        lines = trial_lines(outcome, findings, painter_for_output(), source is not None)
        write("".join(f"{line}\n" for line in lines))
    if outcome.problem:
        warn(say("error: {problem}", problem=outcome.problem))
    if trace and not is_json:
        _show_traces(outcome)
    if bundle is not None:
        _write_bundle(bundle, bundle_of(document, folder, source, with_code))
    if outcome.failures:
        return EXIT_FINDINGS
    return 0 if outcome.is_known else EXIT_FAILED


def _entry(text: str, folder: Path, inputs: tuple[str, ...]) -> TrialEntry:
    """`model.py: Net()` or `train.py --epochs 1`. Raises click.UsageError for a file that is not there."""
    file, colon, code = text.partition(":")
    is_expression = bool(colon) and file.strip().endswith(".py") and bool(code.strip())
    words = [file.strip()] if is_expression else list(_words(text))
    if not words:
        raise click.UsageError(say("--entry: it names no file"))
    root = Path(os.path.abspath(folder))  # noqa: PTH100
    place = Path(os.path.abspath(root / words[0]))  # noqa: PTH100
    if root not in place.parents:
        outside = say("{file} lies outside of {folder}", file=words[0], folder=folder)
        raise click.UsageError(f"--entry {text!r}: {outside}")
    if not place.is_file() or place.suffix != ".py":
        raise click.UsageError(
            say(
                "--entry {text!r}: {folder} has no Python file {file}; write 'train.py --epochs 1' or "
                "'model.py: Net(10)'",
                text=text,
                file=words[0],
                folder=folder,
            )
        )
    relative = place.relative_to(root).as_posix()
    if not is_expression:
        return TrialEntry(relative, tuple(words[1:]))
    try:
        compile(code.strip(), "<entry>", "eval")
    except (SyntaxError, ValueError) as error:
        reason = getattr(error, "msg", None) or error
        raise click.UsageError(
            say("--entry {text!r} is no expression: {reason}", text=text, reason=reason)
        ) from None
    return TrialEntry(relative, (), code.strip(), inputs)


def _words(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise click.UsageError(say("{text!r} cannot be read: {reason}", text=text, reason=error)) from None


def _findings(
    outcome: TrialOutcome, source: Path | None, overrides: dict[str, object], config_file: str | None
) -> dict[FileLine, FindingRow]:
    """The worst that mindport says of each line of the original at which something fails."""
    places = {attempt.original for attempt in outcome.failures if attempt.original is not None}
    if source is None or not places:
        return {}
    found: dict[FileLine, FindingRow] = {}
    worst: dict[FileLine, Severity] = {}
    names = {str(source / place.file): place.file for place in places}
    for group in plan_run(tuple(names), overrides, config_file).groups:
        for report in check_paths(group.files, group.loaded.settings, group.target, group.loaded.root, False):
            for finding, fix in zip(report.findings, report.fixes, strict=True):
                for line in range(finding.span.line, finding.span.end_line + 1):
                    place = FileLine(names.get(report.path, report.path), line)
                    if place in places and (place not in found or finding.severity > worst[place]):
                        found[place] = finding_row(report.path, finding, fix, report.cells)
                        worst[place] = finding.severity
    return found


def _show_traces(outcome: TrialOutcome) -> None:
    for attempt in outcome.failures:
        warn(f"\n{attempt.name}")
        for call in attempt.calls:
            warn(f"  {call.file}:{call.line} {call.name}".rstrip())
        warn(f"  {attempt.error}")
        if attempt.printed:
            warn(attempt.printed.rstrip())


def _write_bundle(file: Path, content: bytes) -> None:
    try:
        write_output(file, content)
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(
            say("{file} cannot be written: {reason}", file=file, reason=reason)
        ) from None
    warn(say("wrote {file}", file=file))
