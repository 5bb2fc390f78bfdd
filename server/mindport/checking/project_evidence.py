"""The catalogue as one project sees it: what ships, the mappings of its team, and the evidence that it brings."""

from __future__ import annotations

import functools
from pathlib import Path

from mindport.config.settings import Settings
from mindport.mapping.files import team_files
from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.shared_evidence import DEFAULT_FILE, read_shared

_Files = tuple[tuple[Path, tuple[int, int]], ...]  # with the time of its last change and its size


def evidence_files(settings: Settings, root: str) -> tuple[Path, ...]:
    """The evidence files of a project: those of the settings, else the default one if it is there."""
    if settings.evidence:
        return tuple(Path(root, name) for name in settings.evidence)
    default = Path(root, DEFAULT_FILE)
    return (default,) if default.is_file() else ()


def mapping_files_of(settings: Settings, root: str) -> tuple[Path, ...]:
    """The mapping files of a project's team. Raises ConfigurationError."""
    return team_files([Path(root, name) for name in settings.mapping_paths]) if settings.mapping_paths else ()


def project_index(settings: Settings, root: str) -> MappingIndex:
    """The mappings with those of the team and the project's own evidence. Raises ConfigurationError for a file that
    cannot be used."""
    mappings, evidence = mapping_files_of(settings, root), evidence_files(settings, root)
    return _index(*(tuple((path, _state(path)) for path in files) for files in (mappings, evidence)))


@functools.lru_cache(maxsize=8)
def _index(mappings: _Files, evidence: _Files) -> MappingIndex:
    index = load_index()
    if mappings:
        # Here, because the YAML reader takes longer than all the rest.
        from mindport.mapping.team import read_team

        index = index.with_team(read_team([path for path, _ in mappings]))
    return (
        index.with_evidence([row for path, _ in evidence for row in read_shared(path)]) if evidence else index
    )


def _state(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)
