"""Writes a file in one step: into a temporary file beside it, which then takes its place, so that no reader ever
sees half of it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def replace_file(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Write `content` to `path`, with these mode bits. Raises OSError when that cannot be done; the old file is then
    untouched and nothing is left beside it."""
    import tempfile  # only a run that writes needs it, and it takes as long to load as this package

    handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:100]}.", suffix=".mindport", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.chmod(temporary, mode)  # noqa: PTH101
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108
        raise


def keep_file(path: Path, content: bytes) -> None:
    """Write what can be made again, and the folders on the way to it. A place that cannot be written is no error: it
    is then made again by the next run."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, content)
