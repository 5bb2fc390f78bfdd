"""`mindport check --watch`: checks again whenever a file changes, until Ctrl-C. It looks at times and sizes twice a
second, which needs no service of the system and costs little even for thousands of files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from time import sleep

import click

from mindport.checking.baseline import BASELINE_FILE
from mindport.checking.project_evidence import evidence_files
from mindport.cli.output import warn
from mindport.cli.plan import RunPlan
from mindport.config.problem import ConfigurationError
from mindport.model.language import later, say
from mindport.report.text import number_of

_SECONDS = 0.5
_WATCHING = later("watching {files}; Ctrl-C ends it")

State = dict[str, tuple[int, int] | frozenset[str]]


def watch(
    plan_of: Callable[[], RunPlan], run: Callable[[RunPlan], int], pause: Callable[[float], None] = sleep
) -> int:
    """Run again and again. Settings that cannot be used are told, and the files are watched until they can be. Raises
    ConfigurationError where that is so from the start. The exit code is 0: it was ended by who asked for it."""
    try:
        plan = plan_of()
        while True:
            before = state_of(plan)
            if sys.stdout.isatty():
                click.clear()
            run(plan)
            sys.stdout.flush()
            warn(say(_WATCHING, files=number_of(plan.file_count, "file")))
            while True:
                while (now := state_of(plan)) == before:
                    pause(_SECONDS)
                before = now
                try:
                    plan = plan_of()
                    break
                except ConfigurationError as error:
                    for problem in error.problems:
                        warn(say("error: {problem}", problem=problem))
    except KeyboardInterrupt:
        return 0


def state_of(plan: RunPlan) -> State:
    """The times and sizes of all that a run looks at. Folders tell of files that come and go by the names in them:
    their times tell of what mindport itself keeps there, too."""
    state: State = {}
    for path in _watched(plan):
        try:
            if os.path.isdir(path):  # noqa: PTH112
                state[path] = frozenset(name for name in os.listdir(path) if not name.startswith("."))  # noqa: PTH208
                continue
            status = os.stat(path)  # noqa: PTH116  of thousands of files, twice a second
            state[path] = (status.st_mtime_ns, status.st_size)
        except OSError:
            state[path] = (0, 0)
    return state


def _watched(plan: RunPlan) -> Iterator[str]:
    for group in plan.groups:
        loaded = group.loaded
        yield from group.files
        yield from {os.path.dirname(file) or "." for file in group.files}  # noqa: PTH120
        yield os.path.join(loaded.root, BASELINE_FILE)  # noqa: PTH118
        yield from map(str, evidence_files(loaded.settings, loaded.root))
        yield loaded.source or os.path.join(loaded.root, "pyproject.toml")  # noqa: PTH118
