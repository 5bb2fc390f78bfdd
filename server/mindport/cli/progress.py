"""A progress bar on long runs, where standard error is a terminal; nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

Item = TypeVar("Item")

_SECONDS_BEFORE_BAR = 1.0


def with_progress(items: Iterable[Item], total: int, title: str) -> Iterator[Item]:
    """Give the items on, and show how many have come once it takes longer than a second."""
    if not sys.stderr.isatty():
        yield from items
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
