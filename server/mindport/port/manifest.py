"""The memory of a port: what each file was made of, and what was written. By it a second run tells what changed in the
source from what a person changed in the port."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from mindport.source.writing import replace_file

FOLDER = ".mindport"
_NAME = "port.json"
_FORMAT = 1


class Made(msgspec.Struct, frozen=True):
    """The hashes of a file in the source and as it was written."""

    source: str
    written: str


class Manifest(msgspec.Struct, frozen=True):
    """`source` is where the original lies, seen from the port where that is possible; `commit` is, of a port in place,
    the commit that has the original; `target` what it was made for. `files` are by their paths in the project."""

    format: int
    source: str
    target: str
    commit: str = ""
    files: dict[str, Made] = {}


class UnreadableManifest(Exception):
    """The file is there, and is no manifest; the text says why."""


def digest(content: bytes) -> str:
    """What a manifest keeps of a content."""
    return hashlib.sha256(content).hexdigest()


def manifest_file(folder: Path) -> Path:
    """Where the manifest of a port lies."""
    return folder / FOLDER / _NAME


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a port; None where there is none. Raises UnreadableManifest."""
    try:
        content = manifest_file(folder).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UnreadableManifest(error.strerror or str(error)) from None
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableManifest(str(error)) from None
    if manifest.format != _FORMAT:
        raise UnreadableManifest(f"format {manifest.format}")
    return manifest


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write it in one step. Raises OSError."""
    place = manifest_file(folder)
    place.parent.mkdir(parents=True, exist_ok=True)
    content = msgspec.json.format(msgspec.json.encode(manifest, order="deterministic"), indent=1)
    replace_file(place, content + b"\n")


def new_manifest(source: str, target: str, commit: str, files: dict[str, Made]) -> Manifest:
    """A manifest of the present format."""
    return Manifest(_FORMAT, source, target, commit, files)
