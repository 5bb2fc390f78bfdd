"""`mindport shapes`: goes through a loader of the user and tells which shapes vary."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from mindport.cli.interpreter import interpreter_to_start
from mindport.cli.main import EXIT_FAILED, EXIT_FINDINGS
from mindport.cli.options import settings_of, target_options
from mindport.cli.output import write
from mindport.config.load import load_settings
from mindport.prove.batch_shapes import BatchShapes, ShapeSeries, batch_shapes


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--loader", required=True, metavar="CODE", help="What gives the batches: 'DataLoader(Pictures(), 8)'."
)
@click.option(
    "--entry", default="", metavar="CODE", help="What builds the torch model, to look at its layers: 'Net()'."
)
@click.option("--batches", type=click.IntRange(1), default=50, show_default=True, help="How many to look at.")
@click.option(
    "--seconds", type=click.FloatRange(1), default=600, show_default=True, help="The most it may take."
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
@target_options
def shapes(
    file: Path,
    loader: str,
    entry: str,
    batches: int,
    seconds: float,
    as_json: bool,
    config_file: str | None,
    **options: Any,
) -> int:
    """Tell which shapes of the batches in FILE vary, and with --entry which layers' outputs.

    This runs the code of the file, in a process of its own. The exit code is 1 where a shape varies."""
    loaded = load_settings(".", settings_of(options), config_file=config_file)
    interpreter = interpreter_to_start(loaded)
    found = batch_shapes(interpreter, file, loader, entry, batches, seconds)
    write(_json(found) if as_json else "".join(f"{line}\n" for line in _lines(found)))
    if found.problem or not found.batches:
        return EXIT_FAILED
    return EXIT_FINDINGS if any(one.varies for one in (*found.values, *found.layers)) else 0


def _json(found: BatchShapes) -> str:
    return msgspec.json.encode(found).decode() + "\n"


def _lines(found: BatchShapes) -> list[str]:
    lines = [_line(one) for one in found.values]
    lines += [_line(one) for one in found.layers]
    end = "all" if found.is_whole else "the first"
    lines.append(f"{end} {found.batches} batches" if found.batches else "no batch came")
    if any(one.varies and not one.only_last for one in found.values):
        lines.append(
            "inputs of varying size compile a graph for each new shape: pad, or declare them in set_inputs"
        )
    elif any(one.only_last for one in found.values):
        lines.append(
            "only the last batch is smaller: drop_last=True, or drop_remainder=True in mindspore.dataset"
        )
    if found.problem:
        lines.append(f"stopped: {found.problem}")
    return lines


def _line(one: ShapeSeries) -> str:
    name = f"{one.name} ({one.kind})" if one.kind else one.name
    first = next(shape for shape in one.shapes if shape is not None)
    if not one.varies:
        return f"fixed   {name}  {_text(first)}"
    if None in one.shapes:
        return f"varies  {name}  is missing in some batches"
    axes = one.axes()
    if not axes:
        return f"varies  {name}  in the number of its axes"
    words = ", ".join(f"axis {axis}: {low} to {high}" for axis, low, high in axes)
    return f"varies  {name}  {words}" + (" (the last batch only)" if one.only_last else "")


def _text(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))})"
