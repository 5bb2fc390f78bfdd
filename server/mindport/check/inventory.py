"""One row for every reference to torch: what it is, what can be said of it, what may be done about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mindport.check.analysis import analyse_files
from mindport.check.engine import Engine
from mindport.check.outcome import FileInventory, Reference
from mindport.config.settings import Settings
from mindport.model.target import Target
from mindport.rewrite.propose import propose
from mindport.source.lines import LineIndex
from mindport.source.problem import Problem
from mindport.source.text import SourceText
from mindport.usage.api_use import ApiUse


def inventory_paths(
    files: Sequence[str],
    settings: Settings,
    target: Target,
    root: str = ".",
    use_cache: bool = True,
    overlay: dict[str, SourceText] | None = None,
) -> Iterator[FileInventory]:
    """The references of each file, in the order of `files`. The rows are made from the texts each time:
    they are far more than the findings, and reading them back would take as long as making them."""
    engine = Engine(target)
    for file in analyse_files(files, settings, root, overlay or {}):
        if isinstance(file.source, Problem):
            yield FileInventory(file.path, (), file.source)
        else:
            problem = file.problems[0] if file.problems else None
            rows = references(file.usage.uses, file.source.text, engine)
            yield FileInventory(file.path, rows, problem)


def references(uses: Sequence[ApiUse], text: str, engine: Engine) -> tuple[Reference, ...]:
    """A row for every use. Whether a fix can be written also depends on the text around the use."""
    lines = LineIndex(text)
    return tuple(_reference(use, lines, engine) for use in uses)


def _reference(use: ApiUse, lines: LineIndex, engine: Engine) -> Reference:
    assessment = engine.assess(use)
    judgement, fix, reason = assessment.judgement, assessment.fix, assessment.reason
    if fix is not None:
        rewrites = propose(use, judgement, lines, engine.torch, engine.mindspore)
        if not rewrites:
            fix, reason = None, "cannot be written at this place; see the card"
        elif rewrites[0].applicability is not fix:
            fix, reason = rewrites[0].applicability, "a comment inside the call would be lost"
    return Reference(use, judgement.verdict, fix, reason)
