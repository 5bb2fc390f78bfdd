"""How mindport's own modules are run as processes: not from the folder where the editor started the server. Python
looks for modules there first, and those of the user must not be run."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import mindport

_HOME = Path(mindport.__file__).parent.parent
_LINE_LIMIT = 2**28  # bytes; what is said of a large repository may be one line of some megabytes


async def start(module: str, *, keeps_errors: bool = False) -> asyncio.subprocess.Process:
    """The module as a process that is spoken to through its pipes; with `keeps_errors` its standard error is one, too,
    else it goes where the server's goes."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE if keeps_errors else None,
        cwd=_HOME,
        limit=_LINE_LIMIT,
    )
