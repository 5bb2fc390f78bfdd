"""The files of a run, parted by the settings that apply to them: in one tree several projects may lie."""

from __future__ import annotations

import os
from collections.abc import Iterator

from mindport.config.load import LoadedSettings, SettingsFinder


class FilesBySettings:
    """Files in the order they are added, each once, under the settings that apply to them."""

    def __init__(self, finder: SettingsFinder) -> None:
        self._finder = finder
        self._seen: set[str] = set()
        self._groups: dict[tuple[str, str], tuple[LoadedSettings, list[str]]] = {}

    def add(self, name: str, below: LoadedSettings | None = None) -> None:
        """Add a file that was found `below` a directory with these settings. Raises ConfigurationError."""
        if name in self._seen:
            return
        self._seen.add(name)
        loaded = self._finder.for_directory(os.path.dirname(name) or ".", below)  # noqa: PTH120
        self._groups.setdefault((loaded.root, loaded.source), (loaded, []))[1].append(name)

    def groups(self) -> Iterator[tuple[LoadedSettings, list[str]]]:
        """The files of each project with their settings."""
        yield from self._groups.values()
