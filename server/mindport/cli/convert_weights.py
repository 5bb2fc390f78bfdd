"""`mindport convert-weights`: a torch checkpoint becomes one that the port loads."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from mindport.cli.interpreter import interpreter_to_start
from mindport.cli.main import EXIT_FAILED, EXIT_FINDINGS
from mindport.cli.options import settings_of, target_options
from mindport.cli.output import warn, write
from mindport.config.load import load_settings
from mindport.config.target import resolve_target
from mindport.prove.weights import Checkpoint, WeightsOutcome, convert_weights

_LISTS = (
    ("missing", "the port has it, the checkpoint does not"),
    ("unexpected", "the checkpoint has it, the port does not"),
    ("mismatched", "the shapes differ"),
)


@click.command("convert-weights")
@click.argument("source", metavar="IN", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("out", metavar="OUT", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--model",
    required=True,
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The converted file that has the model.",
)
@click.option("--entry", required=True, metavar="CODE", help="What builds the model: 'Net(10)'.")
@click.option(
    "--key", metavar="NAME", help="The dictionary in IN that holds the weights, if it is not the usual one."
)
@click.option("--allow-partial", is_flag=True, help="Write what fits, even if something is left over.")
@click.option("--seconds", type=click.FloatRange(1), default=600, show_default=True, help="The time limit.")
@click.option("--verbose", "-v", is_flag=True, help="List the tensors that fit, too.")
@click.option("--trace", is_flag=True, help="Show where in the code it went wrong.")
@target_options
def convert_weights_command(
    source: Path,
    out: Path,
    model: Path,
    entry: str,
    key: str | None,
    allow_partial: bool,
    seconds: float,
    verbose: bool,
    trace: bool,
    config_file: str | None,
    **options: Any,
) -> int:
    """Convert the torch checkpoint IN (.pth, .pt, .bin, .safetensors, .npz) into OUT, a .ckpt of MindSpore.

    Names are those of the converted model. Nothing that IN holds is run, torch is not needed; the code of the model is
    run, in a process of its own. OUT is written whole or not at all."""
    if out.suffix != ".ckpt":
        raise click.UsageError(f"{out} must end in .ckpt: MindSpore loads no other")
    loaded = load_settings(".", settings_of(options), config_file=config_file)
    root = Path(loaded.root)
    interpreter = interpreter_to_start(loaded)
    target, _ = resolve_target(loaded.settings, root)
    checkpoint = Checkpoint(source, out, model, entry, key, allow_partial)
    outcome = convert_weights(checkpoint, target, interpreter, [str(root.resolve())], seconds)
    if trace and outcome.trace:
        warn(outcome.trace.rstrip())
    if outcome.error:
        warn(f"error: {outcome.error}")
        return EXIT_FAILED
    write("".join(f"{line}\n" for line in _lines(outcome, out, verbose)))
    return 0 if outcome.is_whole or (allow_partial and outcome.is_written) else EXIT_FINDINGS


def _lines(outcome: WeightsOutcome, out: Path, verbose: bool) -> list[str]:
    lines = [f"{name:<11} {row}: {meaning}" for name, meaning in _LISTS for row in getattr(outcome, name)]
    lines += [f"{'converted':<11} {change}: {count}" for change, count in Counter(outcome.converted).items()]
    if verbose:
        lines += [f"{'loaded':<11} {name}" for name in outcome.loaded]
        lines += [f"{'not needed':<11} {name}" for name in outcome.not_needed]
    found = f" under {outcome.key!r}" if outcome.key else ""
    found += f", {outcome.prefix!r} taken off their names" if outcome.prefix else ""
    counts = [f"{len(outcome.loaded)} loaded"]
    counts += [f"{len(getattr(outcome, name))} {name}" for name, _ in _LISTS]
    counts.append(f"{len(outcome.not_needed)} not needed")
    lines.append(f"Tensors{found}: {', '.join(counts)}.")
    if outcome.is_written:
        lines.append(
            f"Wrote {out}. Load it with net.load_state_dict(mindspore.load_checkpoint({str(out)!r}))."
        )
    else:
        lines.append(f"Did not write {out}; --allow-partial writes what fits.")
    return lines
