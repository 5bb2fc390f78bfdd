"""Says where a trace is of other texts than the files have by now: what was seen in these counts no more."""

from __future__ import annotations

from collections.abc import Iterator

from mindport.checking.project_trace import project_trace, stale_files
from mindport.cli.output import warn
from mindport.cli.plan import Group
from mindport.model.language import say
from mindport.source.discovery import full_path
from mindport.source.problem import Problem
from mindport.source.text import read_source

_MOST_NAMES = 3


def warn_of_stale_traces(groups: tuple[Group, ...]) -> None:
    """Tell for each project which of its files changed since they ran. Raises ConfigurationError for a broken trace."""
    for group in groups:
        trace = project_trace(group.loaded.settings, group.loaded.root)
        if trace is None:
            continue
        stale = stale_files(trace, group.loaded.root, _texts(group, set(trace.files)))
        if stale:
            more = " ..." if len(stale) > _MOST_NAMES else ""
            files = ", ".join(stale[:_MOST_NAMES]) + more
            warn(
                say(
                    "warning: changed since `mindport trace`, so what was seen there does not count: {files}",
                    files=files,
                )
            )


def _texts(group: Group, names: set[str]) -> Iterator[tuple[str, str]]:
    root = f"{full_path(group.loaded.root)}/"
    for file in group.files:
        full = full_path(file)
        if full.removeprefix(root) in names:
            source = group.overlay.get(file) or read_source(file, group.loaded.settings.max_file_bytes)
            if not isinstance(source, Problem):
                yield full, source.text
