"""One row for every reference to torch: what it is, what can be said of it, what may be done about it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from mindport.checking.analysis import uses_of_files
from mindport.checking.counting import is_data_code, kind_apart
from mindport.checking.engine import Engine
from mindport.checking.failure import failure_of
from mindport.checking.outcome import FileInventory, ReferenceRow
from mindport.checking.project_evidence import project_index
from mindport.checking.writable import as_writable
from mindport.config.settings import Settings
from mindport.model.language import spoken
from mindport.model.target import Target
from mindport.source.lines import LineIndex
from mindport.source.notebook import cells_of, placed_problem
from mindport.source.problem import Problem
from mindport.source.text import SourceText
from mindport.usage.api_use import ApiUse


def inventory_paths(
    files: Sequence[str],
    settings: Settings,
    target: Target,
    root: str = ".",
    overlay: dict[str, SourceText] | None = None,
) -> Iterator[FileInventory]:
    """The references of each file, in the order of `files`. They are not cached: they are far more than the
    findings, and reading them back would take as long as making them."""
    engine = Engine(target, project_index(settings, root), language=spoken(settings.locale))
    for file in uses_of_files(files, settings, root, overlay or {}, target):
        if isinstance(file.source, Problem):
            yield FileInventory(file.path, (), file.source)
        else:
            cells = cells_of(file.source.text)
            problem = placed_problem(file.problems[0], file.path, cells) if file.problems else None
            rows: tuple[ReferenceRow, ...] = ()
            try:
                rows = references(file.usage.uses, file.source.text, engine, file.data)
            except Exception as error:  # noqa: BLE001  a defect in one file must not lose the others
                problem = failure_of(error, file.path)
            yield FileInventory(file.path, rows, problem, cells)


def references(
    uses: Sequence[ApiUse], text: str, engine: Engine, data: Collection[str] = ()
) -> tuple[ReferenceRow, ...]:
    """A row for every use. Whether a fix can be written also depends on the text around the use. `data`: the functions
    that only prepare data."""
    lines = LineIndex(text)
    return tuple(_reference(use, lines, engine, data) for use in uses)


def _reference(use: ApiUse, lines: LineIndex, engine: Engine, data: Collection[str]) -> ReferenceRow:
    assessment = as_writable(use, engine.assess(use), lines, engine)
    apart = kind_apart(use, is_data=is_data_code(use, data))
    return ReferenceRow(use, assessment.judgement.verdict, assessment.fix, assessment.reason, apart)
