"""Finds the mapping files of a folder. Without imports that cost time, because every start looks at the files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from mindport.config.problem import ConfigurationError
from mindport.model.language import say

_SUFFIXES = (".yaml", ".yml")
_MOST_TEAM_FILES = 2_000

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


def team_files(folders: Sequence[Path]) -> tuple[Path, ...]:
    """The mapping files of a team's folders in a fixed order. Links to folders are not followed. Raises
    ConfigurationError for a folder that is not there, and for more files than anybody writes."""
    found: list[Path] = []
    for folder in folders:
        if not folder.is_dir():
            raise ConfigurationError([say("{folder}: is no folder of mappings", folder=folder)])
        for place, inside, names in os.walk(folder):
            inside.sort()
            found += (Path(place, name) for name in sorted(names) if name.endswith(_SUFFIXES))
            if len(found) > _MOST_TEAM_FILES:
                raise ConfigurationError(
                    [
                        say(
                            "{folder}: has more than {most} mapping files",
                            folder=folder,
                            most=_MOST_TEAM_FILES,
                        )
                    ]
                )
    return tuple(found)
