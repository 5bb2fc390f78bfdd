"""The action that lets a training loop add up the gradients of several batches."""

from __future__ import annotations

from collections.abc import Iterator

from mindport.model.span import Edit, Span
from mindport.rewrite.compose import as_fix
from mindport.rewrite.training.accumulation import AccumulationRewrite, accumulation_rewrites
from mindport.source.lines import LineIndex
from mindport.usage.api_use import FileUsage


def accumulating_loops(text: str, usage: FileUsage, place: Span, *, asked: bool) -> Iterator[int]:
    """The lines of the loops that the action is offered for. A menu that opens by itself offers it where the loop
    begins; `asked` says that the user looks for a rewrite, so that the whole loop counts as the place."""
    if asked or LineIndex(text).line_text(place.line).lstrip().startswith("for "):
        for one in _at(text, usage, place.line):
            if asked or one.loop.line == place.line:
                yield one.loop.line


def accumulation_edits(text: str, usage: FileUsage, line: int) -> tuple[Edit, ...]:
    """The edits for the loop that begins at a line."""
    for one in _at(text, usage, line):
        if one.loop.line == line:
            fix = as_fix(one.rewrite, text, usage)
            return () if fix is None else fix.edits
    return ()


def _at(text: str, usage: FileUsage, line: int) -> Iterator[AccumulationRewrite]:
    for one in accumulation_rewrites(text, usage).rewrites:
        if one.loop.line <= line <= one.loop.end_line:
            yield one
