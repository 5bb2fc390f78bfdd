"""The files of a project that are no code but say much about it: what people read, what is to be installed, licences
and JSON settings. A file that is missing, too long or no text is left out."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from mindport.config.regular_file import read_regular

_MOST_JSON = 200
_REQUIREMENTS = (
    "requirements*.txt",
    "requirements/*.txt",
    "setup.py",
    "setup.cfg",
    "pyproject.toml",
    "environment*.yml",
    "environment*.yaml",
    "Pipfile",
)
_READ = ("README*", "docs/*.md", "INSTALL*.md", "TRAIN*.md", "MODEL_ZOO*.md", "GETTING_STARTED*.md")
_LICENCES = ("LICEN[CS]E*", "COPYING*")
_SKIPPED_FOLDERS = frozenset(("node_modules", "site-packages", "__pycache__"))


class Documents(msgspec.Struct, frozen=True):
    """Path relative to the project, with forward slashes -> text; each in the order of the paths."""

    prose: dict[str, str] = {}
    licences: dict[str, str] = {}
    requirements: dict[str, str] = {}
    json_settings: dict[str, str] = {}


def read_documents(root: Path) -> Documents:
    """Read the documents below `root`, which may be a folder or one file. Never raises for what is there."""
    folder = root if root.is_dir() else root.parent
    if not folder.is_dir():
        return Documents()
    return Documents(
        _texts(folder, _READ), _texts(folder, _LICENCES), _texts(folder, _REQUIREMENTS), _json_texts(folder)
    )


def _texts(folder: Path, patterns: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for pattern in patterns:
        for path in sorted(folder.glob(pattern)):
            text = _text(path)
            if text is not None:
                found.setdefault(path.relative_to(folder).as_posix(), text)
    return found


def _json_texts(folder: Path) -> dict[str, str]:
    """JSON files that may hold settings: those in folders whose name says so, and those beside the code."""
    found: dict[str, str] = {}
    for directory, folders, names in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name not in _SKIPPED_FOLDERS
        )
        below = Path(directory)
        if below != folder and not any("conf" in part.lower() for part in below.relative_to(folder).parts):
            continue
        for name in sorted(names):
            if name.endswith(".json") and len(found) < _MOST_JSON:
                text = _text(below / name)
                if text is not None:
                    found[(below / name).relative_to(folder).as_posix()] = text
    return found


def _text(path: Path) -> str | None:
    try:
        return read_regular(path).decode("utf-8-sig", "replace")
    except OSError:
        return None
