"""Results kept between runs: for each part of a project the reports of its files, keyed by everything that
they depend on: texts, settings, target, mappings, facts, and mindport itself. A damaged or foreign file is
only a miss."""

from __future__ import annotations

import contextlib
import datetime
import functools
import hashlib
import os
from pathlib import Path

import msgspec

import mindport
from mindport.checking.analysis import Sources
from mindport.checking.outcome import FileReport
from mindport.checking.project_evidence import evidence_files, mapping_files_of
from mindport.checking.sealed import sealed, unsealed
from mindport.checking.suppression import ends_some_day
from mindport.config.regular_file import read_regular
from mindport.config.settings import Settings
from mindport.mapping.shared_evidence import MOST_BYTES
from mindport.model.target import Target
from mindport.registry.location import mappings_folder
from mindport.source.discovery import shown_path
from mindport.source.text import SourceText
from mindport.source.writing import is_temporary, keep_file, lies_below

Reports = tuple[FileReport, ...]

_MOST_PARTS = 20_000  # kept of earlier runs, oldest first to go
_NAME = "results.msgpack"
_IGNORE = ".gitignore"
_MADE = ("__pycache__", "_compiled")  # made from the other files, perhaps by this very run
_NO_RESULTS = (msgspec.DecodeError, UnicodeDecodeError)
_RAW = msgspec.msgpack.Decoder(dict[str, msgspec.Raw])
_REPORTS = msgspec.msgpack.Decoder(Reports)


class ResultCache:
    """What the folder `cache_dir` below the root of a project holds for one target and one set of settings."""

    def __init__(self, root: str, settings: Settings, target: Target, with_edits: bool = False) -> None:
        self._folder = _usable(Path(root, settings.cache_dir), root)
        self._start = common_digest(root, settings, target, with_edits)
        self._stored: dict[str, msgspec.Raw] = {}
        self._used: dict[str, msgspec.Raw] = {}
        self._is_changed = False
        if self._folder is not None:
            with contextlib.suppress(OSError, *_NO_RESULTS):
                content = unsealed(read_regular(self._folder / _NAME, None))
                self._stored = {} if content is None else _RAW.decode(content)

    def key(self, part: Sources) -> str:
        """The key of a part. Two parts with the same key have the same reports."""
        digest = self._start.copy()
        for path, source in part.files:
            digest.update(os.fsencode(path) + b"\0")
            if isinstance(source, SourceText):
                digest.update(b"t" + source.text.encode("utf-8", "surrogatepass") + b"\0")
            else:
                digest.update(b"p" + str(source).encode("utf-8", "surrogateescape") + b"\0")
        for path, text in sorted(part.neighbours.items()):
            digest.update(
                os.fsencode(shown_path(path)) + b"\0" + text.encode("utf-8", "surrogatepass") + b"\0"
            )
        digest.update("\0".join(sorted(part.configured)).encode())
        if part.seen:
            for path, one in sorted(part.seen.items()):
                digest.update(os.fsencode(shown_path(path)) + b"\0" + msgspec.msgpack.encode(one))
        if any(isinstance(source, SourceText) and ends_some_day(source.text) for _, source in part.files):
            digest.update(datetime.date.today().isoformat().encode())
        return digest.hexdigest()

    def find(self, key: str) -> Reports | None:
        """The reports of a part, or None."""
        raw = self._stored.get(key)
        if raw is None:
            return None
        with contextlib.suppress(*_NO_RESULTS):
            reports = _REPORTS.decode(raw)
            self._used[key] = raw
            return reports
        return None

    def keep(self, key: str, reports: Reports) -> None:
        """Remember the reports of a part; `write` puts them on the disk. Those of files whose names are no UTF-8 cannot
        be packed, and are made again the next time."""
        with contextlib.suppress(UnicodeEncodeError):
            self._used[key] = msgspec.Raw(msgspec.msgpack.encode(reports))
            self._is_changed = True

    def write(self) -> None:
        """Write what was kept. A folder that cannot be written is no error: the next run works without."""
        if not self._is_changed or self._folder is None:
            return
        for key in list(self._stored)[-_MOST_PARTS:]:
            self._used.setdefault(key, self._stored[key])
        # What this run used comes last, so it is the last to go.
        content = dict(reversed(self._used.items()))
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            ignore = self._folder / _IGNORE
            if not os.path.lexists(ignore) and _is_ours(self._folder):
                ignore.write_text("*\n", encoding="utf-8")
        keep_file(self._folder / _NAME, sealed(msgspec.msgpack.encode(content)))


def _usable(folder: Path, root: str) -> Path | None:
    """The folder, unless it is the project itself or a link leads out of the project."""
    is_root = os.path.realpath(folder) == os.path.realpath(root)
    return folder if lies_below(folder, root) and not is_root else None


def _is_ours(folder: Path) -> bool:
    """Whether nothing but our results is in a folder: what makes git ignore them would hide anything else, too."""
    return all(name in (_NAME, _IGNORE) or is_temporary(name) for name in os.listdir(folder))  # noqa: PTH208


def common_digest(root: str, settings: Settings, target: Target, with_edits: bool = False) -> hashlib.blake2b:
    """What all parts of a run depend on. Folders count by how they lie to each other: the next run of continuous
    integration may have the project somewhere else."""
    digest = hashlib.blake2b(digest_size=20)
    own = _own_files_now(Path(mindport.__file__).parent)
    asked = "edits" if with_edits else ""
    for part in (mindport.__version__, own, str(target), os.path.relpath(root), asked):
        digest.update(part.encode("utf-8", "surrogateescape") + b"\0")
    same = msgspec.structs.replace(settings, jobs=0, fail_on="warning", force_exclude=False)
    digest.update(msgspec.msgpack.encode(same))
    for file in (*evidence_files(settings, root), *mapping_files_of(settings, root)):
        with contextlib.suppress(OSError):
            digest.update(read_regular(file, MOST_BYTES))
    return digest


@functools.cache
def _own_files_now(package: Path) -> str:
    """What is running: their state when they were first asked for, because a process goes on with what it loaded."""
    return _own_files(package)


def _own_files(package: Path) -> str:
    """The state of mindport's own files, code and data. Where it was installed, that is what the installer noted of
    their content: machines of continuous integration have new ones each time, and are to find the results that were
    kept all the same. Where somebody works on it, it is size and time."""
    record = package.parent / f"{package.name}-{mindport.__version__}.dist-info" / "RECORD"
    with contextlib.suppress(OSError):
        lines = record.read_text("utf-8").splitlines()
        return "\n".join(sorted(line for line in lines if line.startswith(f"{package.name}/")))
    found = []
    for folder in (package, mappings_folder()):
        for place, directories, names in os.walk(folder):
            directories[:] = [name for name in directories if name not in _MADE]
            for name in names:
                with contextlib.suppress(OSError):
                    status = os.stat(os.path.join(place, name))  # noqa: PTH116, PTH118
                    found.append(f"{name}:{status.st_size}:{status.st_mtime_ns}")
    return " ".join(sorted(found))
