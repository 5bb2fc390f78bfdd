"""The files of a project that is small enough to be looked at as a whole for the sake of a few of its files."""

from __future__ import annotations

import os
from collections.abc import Callable

from mindport.config.settings import Settings
from mindport.source.discovery import discover

_MOST_ENTRIES = 2_000  # of directories, to find out what there is


def small_project(
    root: str, settings: Settings, is_wanted: Callable[[str], bool], most_bytes: int
) -> list[str]:
    """The Python files that the command line would check in a project, of those that are wanted. None for a tree that
    takes long to look through, such as a home directory, or where they have more than `most_bytes` together."""
    left, folders = _MOST_ENTRIES, [root]
    while folders:
        try:
            entries = list(os.scandir(folders.pop()))
        except OSError:
            continue
        left -= len(entries)
        if left < 0:
            return []
        folders += [
            entry.path
            for entry in entries
            if entry.name not in settings.all_excludes and entry.is_dir(follow_symlinks=False)
        ]
    found = discover([root], settings.all_excludes, root, settings.respect_gitignore)
    paths = [path for path in found.python_files if is_wanted(path)]
    try:
        is_small = sum(os.path.getsize(path) for path in paths) <= most_bytes  # noqa: PTH202
    except OSError:  # one has gone meanwhile
        is_small = False
    return paths if is_small else []
