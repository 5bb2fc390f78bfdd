"""Where the mappings and the generated facts lie: in the installed package, or in the repository."""

from __future__ import annotations

import functools
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


@functools.cache
def mappings_folder() -> Path:
    """The folder with the mapping files. A wheel carries them inside the package; a checkout and an editable
    install use the repository's own folder."""
    inside = _PACKAGE / "_mappings"
    return inside if inside.is_dir() else _PACKAGE.parent.parent / "mappings"


def frameworks_folder() -> Path:
    """The folder with the generated facts."""
    return mappings_folder() / "_frameworks"


def evidence_folder() -> Path:
    """The folder with what runs with older MindSpore versions showed."""
    return mappings_folder() / "_evidence"


def compiled_folder() -> Path:
    """The folder for compiled copies; it may be missing or read-only."""
    return mappings_folder() / "_compiled"


def is_installed() -> bool:
    """Whether the data are part of an installed package, where nobody edits them."""
    return mappings_folder().name == "_mappings"
