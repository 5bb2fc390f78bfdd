"""Results of whole runs, kept between runs and keyed by everything that they depend on: texts, settings,
target, mappings, facts, and mindport itself. A damaged or foreign file is only a miss."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import msgspec

import mindport
from mindport.check.outcome import FileReport
from mindport.config.settings import Settings
from mindport.model.target import Target
from mindport.registry.location import mappings_folder
from mindport.source.problem import Problem
from mindport.source.text import SourceText

_KEPT = 20  # results of as many different runs
_SUFFIX = ".msgpack"
_MADE = ("__pycache__", "_compiled")  # made from the other files, perhaps by this very run


class ResultCache:
    """The folder `cache_dir` below the root of a project."""

    def __init__(self, root: str, settings: Settings) -> None:
        self._folder = Path(root, settings.cache_dir)

    def load(self, key: str) -> tuple[FileReport, ...] | None:
        """The reports of a run, or None."""
        try:
            data = (self._folder / f"{key}{_SUFFIX}").read_bytes()
            return msgspec.msgpack.decode(data, type=tuple[FileReport, ...])
        except (OSError, msgspec.DecodeError):
            return None

    def store(self, key: str, reports: Iterable[FileReport]) -> None:
        """Keep the reports of a run. A folder that cannot be written is no error: the next run works
        without."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            ignore = self._folder / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", encoding="utf-8")
            handle, temporary = tempfile.mkstemp(dir=self._folder)
            with os.fdopen(handle, "wb") as stream:
                stream.write(msgspec.msgpack.encode(tuple(reports)))
            Path(temporary).replace(self._folder / f"{key}{_SUFFIX}")
            self._prune()

    def _prune(self) -> None:
        files = sorted(self._folder.glob(f"*{_SUFFIX}"), key=lambda file: file.stat().st_mtime, reverse=True)
        for file in files[_KEPT:]:
            file.unlink()


def run_key(
    files: Iterable[tuple[str, SourceText | Problem]],
    neighbours: dict[str, str],
    settings: Settings,
    target: Target,
    root: str,
) -> str:
    """The key of a run. Two runs with the same key have the same results."""
    digest = hashlib.blake2b(digest_size=20)
    for part in (mindport.__version__, _own_data(), str(target), root, os.getcwd()):  # noqa: PTH109
        digest.update(part.encode("utf-8", "surrogateescape") + b"\0")
    digest.update(msgspec.msgpack.encode(settings))
    for path, source in files:
        digest.update(os.fsencode(path) + b"\0")
        if isinstance(source, SourceText):
            digest.update(b"t" + source.text.encode("utf-8", "surrogatepass") + b"\0")
        else:
            digest.update(b"p" + str(source).encode("utf-8", "surrogateescape") + b"\0")
    for path, text in sorted(neighbours.items()):
        digest.update(os.fsencode(path) + b"\0" + text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def _own_data() -> str:
    """The state of mindport's own files: its data, and its code where somebody works on it."""
    found = []
    for folder in (Path(mindport.__file__).parent, mappings_folder()):
        for place, directories, names in os.walk(folder):
            directories[:] = [name for name in directories if name not in _MADE]
            for name in names:
                with contextlib.suppress(OSError):
                    status = os.stat(os.path.join(place, name))  # noqa: PTH116, PTH118
                    found.append(f"{name}:{status.st_size}:{status.st_mtime_ns}")
    return " ".join(sorted(found))
