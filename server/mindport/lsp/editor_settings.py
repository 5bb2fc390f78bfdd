"""The settings of the editor, which count over those of pyproject.toml: what editors send, read, and which of it counts
where, since the folders of a workspace may each have their own."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path

import msgspec

_LOG = logging.getLogger(__name__)
# What an editor may put its settings in; some fill these with an empty list instead.
_WRAPPERS = ("settings", "mindport")
# Not settings: what the client for VS Code keeps for itself, and whether the workspace is trusted.
_CLIENT_ONLY = frozenset(("path", "serverInterpreter", "trace", "trustedWorkspace", "positionEncoding"))


class EditorSettings(msgspec.Struct, frozen=True):
    """Settings with the keys of the settings page: those that count everywhere, and in their stead those of folders of
    the workspace, by path."""

    everywhere: Mapping[str, object] = {}
    by_folder: Mapping[str, Mapping[str, object]] = {}

    def folder_of(self, directory: str) -> str:
        """The innermost folder with settings of its own that holds a directory; empty where none does."""
        if not self.by_folder:
            return ""
        start = Path(directory)
        return next((str(one) for one in (start, *start.parents) if str(one) in self.by_folder), "")

    def of_directory(self, directory: str) -> Mapping[str, object]:
        """The settings that count in a directory."""
        return self.by_folder.get(self.folder_of(directory), self.everywhere)


def editor_settings(value: object) -> dict[str, object] | None:
    """The settings in what an editor sends: `initializationOptions`, or its `settings`, or the section `mindport`, with
    keys in camel case or with hyphens. What is for the client alone is left out, and so is what is not set. None where
    the editor says nothing: many have no section for us, and gave what they have with `initialize`."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except json.JSONDecodeError:
            _LOG.warning("the editor's settings are no JSON object")
    for wrapper in _WRAPPERS:
        if isinstance(value, Mapping) and isinstance(value.get(wrapper), Mapping):
            value = value[wrapper]
    if not isinstance(value, Mapping) or not value.keys() - set(_WRAPPERS):
        return None
    return {
        _hyphened(str(key)): item
        for key, item in value.items()
        if key not in _CLIENT_ONLY and key not in _WRAPPERS and item is not None
    }


def _hyphened(key: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in key)
