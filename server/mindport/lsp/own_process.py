"""How mindport's own modules are run as processes: not from the folder where the editor started the server. Python
looks for modules there first, and those of the user must not be run."""

from __future__ import annotations

import sys
from pathlib import Path

import mindport

HOME = Path(mindport.__file__).parent.parent


def command_of(module: str) -> list[str]:
    """The command that runs a module; to be started in `HOME`."""
    return [sys.executable, "-m", module]
