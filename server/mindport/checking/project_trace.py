"""The trace of a project: what a run of the original showed, as `mindport trace` left it."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path

from mindport.config.problem import ConfigurationError
from mindport.config.regular_file import read_regular
from mindport.config.settings import Settings
from mindport.source.discovery import full_path
from mindport.usage.seen.run import SeenFile
from mindport.usage.seen.trace import Trace, read_trace

MOST_BYTES = 50_000_000


def trace_file(settings: Settings, root: str) -> Path | None:
    """The trace that the settings name, where it is there."""
    path = Path(root, settings.trace_file)
    return path if settings.trace_file and path.is_file() else None


def project_trace(settings: Settings, root: str) -> Trace | None:
    """The trace of a project, if it has one. Raises ConfigurationError for one that cannot be used."""
    path = trace_file(settings, root)
    if path is None:
        return None
    status = path.stat()
    return _read(path, status.st_mtime_ns, status.st_size)


def seen_files(settings: Settings, root: str) -> dict[str, SeenFile]:
    """What the run of a project showed of its files, by full path. Raises ConfigurationError."""
    trace = project_trace(settings, root)
    return {} if trace is None else {f"{full_path(root)}/{name}": one for name, one in trace.files.items()}


def stale_files(trace: Trace, root: str, texts: Iterable[tuple[str, str]]) -> list[str]:
    """Which of the files, given by full path and text, have changed since they ran, relative to the root."""
    start = f"{full_path(root)}/"
    known = ((path.removeprefix(start), text) for path, text in texts if path.startswith(start))
    return [name for name, text in known if name in trace.files and not trace.files[name].is_of(text)]


@functools.lru_cache(maxsize=8)
def _read(path: Path, _time: int, _size: int) -> Trace:
    try:
        return read_trace(read_regular(path, MOST_BYTES))
    except OSError as error:
        raise ConfigurationError([f"{path}: cannot be read: {error.strerror or error}"]) from None
    except ValueError as error:
        raise ConfigurationError([f"{path}: no trace of `mindport trace`: {error}"]) from None
