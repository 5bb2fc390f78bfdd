"""What the port of each file was made of and how it was written: by it the next run tells what changed in the project
from what was edited by hand in the port."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import msgspec

from mindport.model.language import say
from mindport.port.outcome import PortProblem
from mindport.report.json_text import json_text
from mindport.source.reasons import reason_of
from mindport.source.writing import lies_below, replace_file

FORMAT = 1
FOLDER = ".mindport"
PLACE = f"{FOLDER}/port.json"


class ManifestFile(msgspec.Struct, frozen=True):
    """The digests of a file of the project (empty for one that only the port has) and of what was written for it."""

    source: str
    written: str


class ManifestTarget(msgspec.Struct, frozen=True):
    """The target that was ported to."""

    version: str
    device: str
    mode: str


class Manifest(msgspec.Struct, kw_only=True):
    """What `.mindport/port.json` holds. `source` is the folder of the project seen from the port, `commit` the one that
    a port in place began at, `mindport` the version that wrote it."""

    format: int = FORMAT
    source: str
    commit: str = ""
    mindport: str = ""
    target: ManifestTarget | None = None
    files: dict[str, ManifestFile] = {}


def read_manifest(destination: Path) -> Manifest | None:
    """The manifest of a port; None where there is none. Raises PortProblem for one that cannot be read."""
    place = destination / PLACE
    try:
        data = place.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise PortProblem(
            say("{file} cannot be read: {reason}", file=place, reason=reason_of(error))
        ) from None
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except msgspec.DecodeError as error:
        raise PortProblem(
            say("{file} is no manifest of a port: {reason}", file=place, reason=error)
        ) from None
    if manifest.format != FORMAT:
        raise PortProblem(say("{file} was written by another version of mindport", file=place))
    return manifest


def write_manifest(destination: Path, manifest: Manifest) -> None:
    """Write the manifest in one step. Raises OSError."""
    manifest.files = dict(sorted(manifest.files.items()))
    data = json_text(manifest).encode()
    place = destination / PLACE
    make_folder(place.parent, destination)
    replace_file(place, data)


def make_folder(folder: Path, destination: Path) -> None:
    """Make a folder of a port. Raises OSError, also where a link would lead out of the port."""
    if not lies_below(folder, destination):
        real = os.path.realpath(folder)
        raise OSError(None, say("its folder leads to {folder}, out of the port", folder=real))
    folder.mkdir(parents=True, exist_ok=True)


def manifest_name(path: str) -> str:
    """The name of a file in the manifest: JSON has no place for bytes that are not UTF-8."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def digest_of(data: bytes) -> str:
    """The digest of a file's bytes."""
    return hashlib.sha256(data).hexdigest()


def digest_of_link(target: str) -> str:
    """The digest of a symbolic link, which no file's bytes have."""
    return digest_of(b"symbolic link\0" + os.fsencode(target))


def digest_of_file(path: Path) -> str:
    """The digest of what is at a place: of a link itself, not of what it leads to. Empty where nothing is, and for what
    is neither file nor link. Raises OSError."""
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    if stat.S_ISLNK(mode):
        return digest_of_link(os.readlink(path))  # noqa: PTH115
    if not stat.S_ISREG(mode):
        return f"mode {stat.S_IFMT(mode)}"
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while part := stream.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()
