"""One row for every reference to torch: what it is, what can be said of it, what may be done about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mindport.check.analysis import analyse_files
from mindport.check.engine import Engine
from mindport.check.outcome import FileInventory, Reference
from mindport.config.settings import Settings
from mindport.model.target import Target
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
            yield FileInventory(file.path, references(file.usage.uses, engine), problem)


def references(uses: Sequence[ApiUse], engine: Engine) -> tuple[Reference, ...]:
    """A row for every use."""
    rows = []
    for use in uses:
        assessment = engine.assess(use)
        rows.append(Reference(use, assessment.judgement.verdict, assessment.fix, assessment.reason))
    return tuple(rows)
