"""The catalogue as one project sees it: what ships, and the evidence that the project brings."""

from __future__ import annotations

import functools
from pathlib import Path

from mindport.config.settings import Settings
from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.shared_evidence import DEFAULT_FILE, read_shared


def evidence_files(settings: Settings, root: str) -> tuple[Path, ...]:
    """The evidence files of a project: those of the settings, else the default one if it is there."""
    if settings.evidence:
        return tuple(Path(root, name) for name in settings.evidence)
    default = Path(root, DEFAULT_FILE)
    return (default,) if default.is_file() else ()


def project_index(settings: Settings, root: str) -> MappingIndex:
    """The mappings with the project's own evidence. Raises ConfigurationError for a file that cannot be used."""
    return _index(tuple((path, _state(path)) for path in evidence_files(settings, root)))


@functools.lru_cache(maxsize=8)
def _index(files: tuple[tuple[Path, tuple[int, int]], ...]) -> MappingIndex:
    index = load_index()
    return index.with_evidence([row for path, _ in files for row in read_shared(path)]) if files else index


def _state(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)
