"""Which files an agent may name: those inside the folder that the server was started for."""

from __future__ import annotations

import os
from pathlib import Path


class OutsideError(ValueError):
    """A path leads out of the folder."""


def inside(root: Path, path: str) -> str:
    """A path as a command that runs in `root` takes it. Raises OutsideError for one that leads out of it, also by a
    link, and for what would be an option."""
    if not path or "\0" in path:
        raise OutsideError(f"{path!r} is no path")
    real_root = os.path.realpath(root)
    real = os.path.realpath(os.path.join(real_root, path))  # noqa: PTH118
    if real != real_root and not real.startswith(real_root.rstrip(os.sep) + os.sep):
        raise OutsideError(f"{path!r} is outside of {real_root}, which this server was started for")
    return os.path.join(os.curdir, os.path.relpath(real, real_root))  # noqa: PTH118
