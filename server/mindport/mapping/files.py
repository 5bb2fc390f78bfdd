"""Finds the mapping files of a folder. Without imports that cost time, because every start looks at the
files."""

from __future__ import annotations

import os
from pathlib import Path


def mapping_files(root: Path) -> list[Path]:
    """Every mapping file under `root` in a fixed order; folders that begin with `_` hold generated data."""
    found: list[str] = []
    for folder, folders, names in os.walk(root):
        if Path(folder) == root:
            folders[:] = [name for name in folders if not name.startswith("_")]
        found += [os.path.join(folder, name) for name in names if name.endswith(".yaml")]  # noqa: PTH118 - twice as fast
    return [Path(path) for path in sorted(found)]
