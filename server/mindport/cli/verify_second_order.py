"""`mindport verify-second-order`: compiles and runs the gradient of a gradient with the MindSpore that is installed."""

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
from mindport.explain.double_gradient import double_gradient_text, is_right
from mindport.model.language import say
from mindport.registry.bprops import second_order_facts
from mindport.registry.probe import ProbeFailure, run_probe

_MOST_INPUTS = 3


@click.command("verify-second-order")
@click.argument("subject", metavar="FILE:ENTRY")
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="SIZES",
    help="The shape of an input, such as 4,3,32,32; once for each of at most three inputs; else some are tried.",
)
@click.option("--seconds", type=click.FloatRange(1), default=300.0, show_default=True, help="The time limit.")
@target_options
def verify_second_order(
    subject: str, inputs: tuple[str, ...], seconds: float, config_file: str | None, **options: Any
) -> int:
    """Differentiate a function or Cell twice with the installed MindSpore, and name the first link that fails.

    ENTRY is a name in FILE, or an expression of them: critic.py:Critic, ported.py:loss. This runs your code, in a
    process of its own. It compiles a graph, runs PyNative, and compares the two: a gradient that PyNative cuts off
    shows as a difference. What both get wrong alike does not show; torch is not asked."""
    file, colon, entry = subject.rpartition(":")
    if not colon or not Path(file).is_file():
        raise click.UsageError(f"{subject!r} is no FILE:ENTRY with a file that is there")
    shapes = [_shape(text) for text in inputs]
    if len(shapes) > _MOST_INPUTS:
        raise click.UsageError(f"at most {_MOST_INPUTS} inputs can be differentiated")
    loaded = load_settings(".", settings_of(options), config_file=config_file, language=terminal_language())
    root = Path(loaded.root)
    speak_as(loaded.settings)
    interpreter = interpreter_to_start(loaded)
    target, _ = resolve_target(loaded.settings, loaded.root)
    request: dict[str, object] = {
        "file": str(Path(file).resolve()),
        "entry": entry,
        "inputs": shapes or None,
        "device": target.device.value,
        "path": [str(root.resolve())],
    }
    warn(say("Running {entry} of {file} with {interpreter}", entry=entry, file=file, interpreter=interpreter))
    answer = run_probe(interpreter, "double_gradient", request, seconds)
    if isinstance(answer, ProbeFailure):
        warn(say("no answer: {reason}", reason=answer.reason))
        return EXIT_FAILED
    facts = second_order_facts(target.version)
    write(double_gradient_text(answer.content, target.device, facts))
    return 0 if is_right(answer.content) else EXIT_FINDINGS


def _shape(text: str) -> list[int]:
    """The sizes in `4,3,32,32`. Raises click.UsageError for anything else."""
    try:
        sizes = [int(part) for part in text.strip("()[] ").split(",") if part.strip()]
    except ValueError:
        sizes = [-1]
    if any(size < 1 for size in sizes):
        raise click.UsageError(f"{text!r} is no shape; write sizes such as 4,3,32,32")
    return sizes
