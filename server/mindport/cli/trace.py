"""`mindport trace`: runs a program in torch for a few steps and keeps what was seen as facts for the other commands."""

from __future__ import annotations

import os
from pathlib import Path

import click

from mindport.cli.interpreter import interpreter_to_start
from mindport.cli.language import speak_as, terminal_language
from mindport.cli.main import EXIT_FAILED
from mindport.cli.options import settings_of
from mindport.cli.output import warn
from mindport.config.load import LoadedSettings, load_settings
from mindport.model.language import later, say
from mindport.prove.replayed_calls import CALLS
from mindport.prove.trace import trace_program
from mindport.prove.trace_command import CannotTrace, TraceCommand, read_command
from mindport.report.json_text import json_text
from mindport.source.writing import write_output
from mindport.usage.seen.trace import Trace

_ENDINGS = {
    "exit": later("the program ended"),
    "steps": later("stopped after enough steps"),
    "time": later("stopped at the limit of time"),
    "error": later("the program failed: {error}"),
    "interrupted": later("interrupted"),
}


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option(
    "--steps",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="After how many steps of its optimizers to stop.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(1),
    default=300,
    show_default=True,
    help="The most the program may take.",
)
@click.option(
    "--calls",
    is_flag=True,
    help="Keep calls of the project's own functions with all their values, for `mindport verify`.",
)
@click.option("--interpreter", metavar="PATH", help="The Python to run, where the command names none.")
@click.option("--config", "config_file", metavar="FILE", help="Read the settings from this TOML file.")
def trace(
    command: tuple[str, ...],
    steps: int,
    seconds: float,
    calls: bool,
    interpreter: str | None,
    config_file: str | None,
) -> int:
    """Run COMMAND in torch and keep what types, shapes and values are seen: `mindport trace -- python train.py`.

    This runs the program, here and with all that it does, until its optimizers took a few steps. What was seen is kept
    in .mindport/trace.json, also where the program fails. Processes that it starts, as workers of a loader, are not
    looked into. The exit code is 2 where nothing was seen."""
    overrides = settings_of({"interpreter": interpreter} if interpreter else {})
    loaded = load_settings(".", overrides, config_file=config_file, language=terminal_language())
    speak_as(loaded.settings)
    if not loaded.settings.trace_file:
        raise click.UsageError(say("the setting `trace-file` is empty: it says where to keep what is seen"))
    root = Path(os.path.abspath(loaded.root))  # noqa: PTH100
    place = root / loaded.settings.trace_file
    try:
        read = read_command(command, os.environ)
        kept = place.with_name(CALLS) if calls else None
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
        found = trace_program(read, _interpreter(read, loaded), root, steps, seconds, kept)
    except CannotTrace as error:
        warn(say("error: {problem}", problem=error))
        return EXIT_FAILED
    _report(found)
    if not found.files:
        warn(say("error: {problem}", problem=say("no code in {root} called torch", root=root)))
        return EXIT_FAILED
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        write_output(place, json_text(found).encode())
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(
            say("{file} cannot be written: {reason}", file=place, reason=reason)
        ) from None
    warn(say("wrote {file}", file=place))
    return 0


def _interpreter(command: TraceCommand, loaded: LoadedSettings) -> Path:
    return Path(command.interpreter) if command.interpreter else interpreter_to_start(loaded)


def _report(found: Trace) -> None:
    calls = sum(len(file.calls) for file in found.files.values())
    functions = sum(len(file.functions) for file in found.files.values())
    warn(say(_ENDINGS[found.ending], error=found.error))
    warn(
        say(
            "seen in {seconds} s and {steps} steps: {calls} places that call torch and {functions} functions in "
            "{files} files",
            seconds=found.seconds,
            steps=found.steps,
            calls=calls,
            functions=functions,
            files=len(found.files),
        )
    )
    if found.is_full:
        warn(say("some of it had no room and was left out"))
    if not found.has_columns:
        warn(say("before Python 3.11 the interpreter does not tell columns, so places of calls are left out"))
