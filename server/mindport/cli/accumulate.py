"""`mindport accumulate`: lets the plain training loops of a file step once in several batches."""

from __future__ import annotations

import click

from mindport.checking.failure import failure_of
from mindport.checking.outcome import FileFix, FileReport
from mindport.cli.fix import diff_of
from mindport.cli.main import EXIT_FAILED, EXIT_FINDINGS
from mindport.cli.output import warn, warn_of, write_bytes
from mindport.model.span import Edit
from mindport.report.text import number_of
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import compose
from mindport.rewrite.training.accumulation import USUAL_BATCHES, accumulation_rewrites
from mindport.source.problem import Problem
from mindport.source.text import SourceText, read_source, write_source
from mindport.usage.project import Project


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--batches",
    type=click.IntRange(2),
    default=USUAL_BATCHES,
    show_default=True,
    help="How many batches each step takes.",
)
@click.option("--line", type=click.IntRange(1), help="Only the loop around this line.")
@click.option("--diff", "is_diff", is_flag=True, help="Write nothing; print what would change.")
def accumulate(file: str, batches: int, line: int | None, is_diff: bool) -> int:
    """Let the plain training loops of FILE add up the gradients of several batches before each step.

    For code of torch; `mindport fix` then converts it. The exit code is 1 where no loop could be changed."""
    source = read_source(file)
    if isinstance(source, Problem):
        warn_of([source])
        return EXIT_FAILED
    try:
        edits, count = _edits(source, file, batches, line)
    except Exception as error:  # noqa: BLE001  what the file holds must not end in a traceback
        warn_of([failure_of(error, file)])
        return EXIT_FAILED
    if not edits:
        warn("No loop was changed")
        return EXIT_FINDINGS
    changed = source.with_text(apply_edits(source.text, edits, source.newline))
    if is_diff:
        write_bytes(diff_of(FileFix(file, FileReport(file), before=source, after=changed)))
        return 0
    problem = write_source(file, changed, source)
    if problem is not None:
        warn_of([problem])
        return EXIT_FAILED
    warn(f"Changed {number_of(count, 'loop')}; each step takes {batches} batches")
    return 0


def _edits(source: SourceText, file: str, batches: int, line: int | None) -> tuple[tuple[Edit, ...], int]:
    """The edits that change the chosen loops, and how many these are. What keeps others as they are is told."""
    project = Project(".")
    project.add(file, source.text)
    usage = project.usage(file)
    found = accumulation_rewrites(source.text, usage, batches)
    for refusal in found.refusals:
        if line is None or refusal.span.line <= line <= refusal.span.end_line:
            warn(f"{file}:{refusal.span.line}: left as it is: {refusal.reason}")
    chosen = [
        one.rewrite for one in found.rewrites if line is None or one.loop.line <= line <= one.loop.end_line
    ]
    return compose(source.text, chosen, usage, file), len(chosen)
