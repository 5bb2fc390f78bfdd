"""Finds the mapping files of a folder. Without imports that cost time, because every start looks at the files."""

from __future__ import annotations

import os
from pathlib import Path

FileState = tuple[str, int, int]  # its name, the time of its last change, its size


def states_beside(root: Path) -> tuple[FileState, ...]:
    """The files that what is known of a mapping depends on besides: helpers and evidence."""
    found: list[FileState] = []
    for folder in ("_evidence", "_helpers"):
        try:
            with os.scandir(root / folder) as entries:
                for entry in entries:
                    if entry.is_file():
                        status = entry.stat()
                        found.append((f"{folder}/{entry.name}", status.st_mtime_ns, status.st_size))
        except OSError:
            continue  # there is none
    return tuple(sorted(found))


def mapping_files(root: Path) -> list[Path]:
    """Every mapping file under `root` in a fixed order; folders that begin with `_` hold generated data."""
    return [root / file for file, _, _ in mapping_states(root)]


def mapping_states(root: Path) -> list[FileState]:
    """Every mapping file, relative to `root`, with the time of its last change and its size."""
    found: list[FileState] = []
    folders = [("", str(root))]
    while folders:
        prefix, folder = folders.pop()
        try:
            entries = os.scandir(folder)
        except OSError:
            continue  # removed while we looked
        with entries:
            for entry in entries:
                name = entry.name
                if name.endswith(".yaml"):
                    try:
                        status = entry.stat()
                    except OSError:
                        continue
                    found.append((prefix + name, status.st_mtime_ns, status.st_size))
                elif entry.is_dir() and (prefix or not name.startswith("_")):
                    folders.append((f"{prefix}{name}/", entry.path))
    found.sort()
    return found
