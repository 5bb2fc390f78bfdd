"""`mindport verify`: runs a program and its port on the same weights and inputs and compares what they compute."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mindport.cli.interpreter import interpreter_to_start
from mindport.cli.language import speak_as, terminal_language
from mindport.cli.main import EXIT_FAILED, EXIT_FINDINGS
from mindport.cli.options import settings_of, target_options
from mindport.cli.output import warn, write
from mindport.config.load import load_settings
from mindport.config.target import resolve_target
from mindport.model.language import later, say, translated
from mindport.model.target import Target
from mindport.prove.programs import STAGES, ComparedProgram, Parting, ProgramOutcome, compare_programs
from mindport.prove.replayed_calls import CALLS, replay_calls
from mindport.prove.replayed_lines import replay_lines
from mindport.prove.written_test import check_text
from mindport.source.writing import write_output

_TIMED_CALLS = 9
_MEANING = {
    "import": later("the file can be imported without torch"),
    "build": later("the entry builds a network"),
    "weights": later("every weight of torch has a place"),
    "forward": later("the outputs agree"),
    "gradient": later("the gradients of all weights agree"),
    "steps": later("the losses of training steps agree"),
}


@click.command()
@click.argument("original", type=click.Path(exists=True, path_type=Path))
@click.argument("converted", type=click.Path(exists=True, path_type=Path))
@click.option("--entry", metavar="CODE", help="What builds the model: 'Net(10)'.")
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="TEXT",
    help="One argument of the call: 'rand(2, 3, 32, 32)', 'randint(0, 10, (2, 8))'. Give it once for each.",
)
@click.option("--steps", type=click.IntRange(0), default=0, help="How many training steps to compare.")
@click.option(
    "--seconds", type=click.FloatRange(1), default=600, show_default=True, help="The most each may take."
)
@click.option(
    "--write-test",
    "test",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the comparison of the outputs as a pytest file that does not need mindport.",
)
@click.option("--trace", is_flag=True, help="Show where in the code it went wrong.")
@target_options
def verify(
    original: Path,
    converted: Path,
    entry: str | None,
    inputs: tuple[str, ...],
    steps: int,
    seconds: float,
    test: Path | None,
    trace: bool,
    config_file: str | None,
    **options: Any,
) -> int:
    """Compare ORIGINAL in torch with CONVERTED in MindSpore.

    Both are files, and run in processes of their own, with the same random weights; the port without torch. This runs
    the code of both files. Or both are folders: then the calls that `mindport trace --calls` kept of the original are
    made again in the port, and the first that gives something else is named."""
    is_folder = original.is_dir()
    if is_folder != converted.is_dir():
        raise click.UsageError(say("compare two files, or two folders"))
    if not is_folder and not (entry and inputs):
        raise click.UsageError(say("two files need --entry and --input"))
    if test is not None and not test.absolute().parent.is_dir():
        raise click.UsageError(f"the folder of {test} does not exist")
    loaded = load_settings(".", settings_of(options), config_file=config_file, language=terminal_language())
    speak_as(loaded.settings)
    interpreter = interpreter_to_start(loaded)
    target, _ = resolve_target(loaded.settings, Path(loaded.root))
    if is_folder:
        return _replay(original, converted, loaded.settings.trace_file, target, interpreter, seconds)
    program = ComparedProgram(original, converted, entry or "", inputs, steps, repeats=_TIMED_CALLS)
    outcome = compare_programs(program, target, interpreter, seconds)
    write("".join(f"{line}\n" for line in _lines(outcome)))
    if trace and outcome.trace:
        warn(outcome.trace.rstrip())
    if test is not None:
        _write_test(test, check_text(program, outcome, target, test), outcome)
    if not outcome.wanted:
        return EXIT_FAILED
    return 0 if outcome.agrees else EXIT_FINDINGS


def _replay(
    original: Path, converted: Path, trace_file: str, target: Target, interpreter: Path, seconds: float
) -> int:
    kept = (original / trace_file).with_name(CALLS)
    if not kept.is_file():
        raise click.UsageError(
            say(
                "{file} is not there: run `mindport trace --calls -- python ...` in the original first",
                file=kept,
            )
        )
    replayed = replay_calls(kept, converted, target, interpreter, seconds)
    if replayed.problem:
        write(f"{replayed.problem}\n")
        return EXIT_FAILED
    write("".join(f"{line}\n" for line in replay_lines(replayed)))
    return EXIT_FINDINGS if replayed.first_to_part else 0


def _write_test(place: Path, text: str, outcome: ProgramOutcome) -> None:
    if "weights" not in outcome.reached:
        warn(say("{file} was not written: the weights have no places yet", file=place))
        return
    try:
        write_output(place, text.encode("utf-8"))
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(
            say("{file} cannot be written: {reason}", file=place, reason=reason)
        ) from None
    write(say("wrote {file}", file=place) + "\n")


def _lines(outcome: ProgramOutcome) -> list[str]:
    lines = []
    for stage in STAGES:
        if stage in outcome.reached:
            error = outcome.errors.get(stage)
            line = say("ok      {stage}", stage=translated(_MEANING[stage]))
            if error is not None:
                line = say("{line} (largest difference {difference:.1e})", line=line, difference=error)
            lines.append(line)
        elif stage in outcome.wanted:
            lines.append(say("failed  {stage}", stage=translated(_MEANING[stage])))
            break
    if outcome.problem:
        lines.append(outcome.problem.rstrip())
    elif outcome.original_ended:
        lines.append(say("no more is compared: the original: {reason}", reason=outcome.original_ended))
    if outcome.parting is not None:
        lines.append(_parting_line(outcome.parting))
    if outcome.seconds is not None:
        torch, port = outcome.seconds
        lines.append(
            say(
                "one call takes {torch:.3g} ms in torch and {port:.3g} ms in MindSpore, {ratio:.2g} times as long "
                "(medians of {calls} calls)",
                torch=torch * 1000,
                port=port * 1000,
                ratio=port / torch,
                calls=_TIMED_CALLS,
            )
        )
    return lines


def _parting_line(parting: Parting) -> str:
    torch, port = parting.kinds
    kinds = torch if torch == port else say("{torch}, {port} in the port", torch=torch, port=port)
    if parting.turn > 1:
        kinds = say("{kinds}, call {turn}", kinds=kinds, turn=parting.turn)
    own = say("; its parts agree, the difference is in its own code") if parting.has_parts else ""
    return say(
        "first to part: {name} ({kinds}) {what}{own}; calls of layers before it that agree: {agreeing}",
        name=parting.name,
        kinds=kinds,
        what=parting.what,
        own=own,
        agreeing=parting.agreeing,
    )
