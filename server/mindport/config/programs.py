"""Where a program is that is asked for by its name."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping


def program_on_path(name: str, environment: Mapping[str, str]) -> str | None:
    """The absolute path of a program on PATH, or None.

    Folders that PATH names relatively are passed over, and on Windows the current one is not looked into first: what
    lies in the folder that mindport was started in is the user's code, and never a program of ours."""
    endings = (".exe", ".com") if sys.platform == "win32" else ("",)
    for folder in environment.get("PATH", "").split(os.pathsep):
        for ending in endings:
            path = os.path.join(folder, name + ending)  # noqa: PTH118
            if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):  # noqa: PTH113, PTH117
                return path
    return None
