"""A progress bar on long runs, where standard error is a terminal; a line now and then anywhere else, so that a job of
continuous integration that takes minutes does not look as if it hung."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from mindport.cli.output import warn
from mindport.model.language import later, say
from mindport.report.text import number_of

if TYPE_CHECKING:
    from rich.progress import Progress

Item = TypeVar("Item")

_SECONDS_BEFORE_BAR = 1.0
_SECONDS_BETWEEN_LINES = 30.0
_LINE = later("{title}: {done} of {all}")


def with_progress(items: Iterable[Item], total: int, title: str) -> Iterator[Item]:
    """Give the items on, and show how many have come once it takes longer than a second."""
    if not sys.stderr.isatty():
        yield from _with_lines(items, total, title)
        return
    start = monotonic()
    bar: Progress | None = None
    try:
        for count, item in enumerate(items, 1):
            if bar is None and monotonic() - start > _SECONDS_BEFORE_BAR and count < total:
                bar = _started_bar(title, total)
            if bar is not None:
                bar.update(bar.task_ids[0], completed=count)
            yield item
    finally:
        if bar is not None:
            bar.stop()


def _with_lines(items: Iterable[Item], total: int, title: str) -> Iterator[Item]:
    said = monotonic()
    for count, item in enumerate(items, 1):
        if monotonic() - said > _SECONDS_BETWEEN_LINES and count < total:
            said = monotonic()
            warn(say(_LINE, title=title, done=count, all=number_of(total, "file")))
        yield item


@contextmanager
def progress_of(title: str) -> Iterator[Callable[[int, int], None]]:
    """Gives a function that takes how many are done, and of how many, and shows it."""
    bar: Progress | None = None

    def show(done: int, total: int) -> None:
        nonlocal bar
        if bar is None and sys.stderr.isatty():
            bar = _started_bar(title, total)
        if bar is not None:
            bar.update(bar.task_ids[0], completed=done)

    try:
        yield show
    finally:
        if bar is not None:
            bar.stop()


def _started_bar(title: str, total: int) -> Progress:
    # Loaded here: short runs and `--version` do without it.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(title, total=total)
    bar.start()
    return bar
