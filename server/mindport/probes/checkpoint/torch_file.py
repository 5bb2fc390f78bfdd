"""The two formats of torch.save: since torch 1.6 a zip with one entry for each storage, before that a row of pickles
with the storages behind them."""

from __future__ import annotations

import io
import mmap
import zipfile
from pathlib import Path
from typing import Any

from .stored import DTYPES, CheckpointError, Storage
from .unpickle import storage_dtype, unpickle

MAGIC = 0x1950A86A20F9469CFC6C
VERSION = 1001
_ORDERS = {"little": "<", "big": ">"}


def read_zip(path: Path) -> Any:
    """What torch.save put into the zip. Raises CheckpointError."""
    try:
        return _read_archive(zipfile.ZipFile(path))
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise CheckpointError(f"the file is damaged or cut off: {error}") from None


def _read_archive(archive: zipfile.ZipFile) -> Any:
    names = archive.namelist()
    pickled = next((name for name in names if name.rpartition("/")[2] == "data.pkl"), None)
    if pickled is None:
        raise CheckpointError("the zip holds no data.pkl: it was not written by torch.save")
    folder = pickled[: -len("data.pkl")]
    if any(name.startswith(f"{folder}code/") for name in names):
        raise CheckpointError(
            "the file is a TorchScript program; write its weights alone with torch: "
            "torch.save(torch.jit.load(file).state_dict(), new_file)"
        )
    order = "<"
    if f"{folder}byteorder" in names:
        order = _ORDERS.get(_entry(archive, f"{folder}byteorder").decode("ascii", "replace").strip(), "<")
    storages: dict[str, Storage] = {}

    def storage(reference: Any) -> Storage:
        kind, key = _reference(reference)
        if key not in storages:
            storages[key] = Storage(kind, order, lambda: _entry(archive, f"{folder}data/{key}"))
        return storages[key]

    return unpickle(io.BytesIO(_entry(archive, pickled)), storage)


def _entry(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        entry = archive.getinfo(name)
    except KeyError:
        raise CheckpointError(f"the file is damaged: it has no entry {name}") from None
    if entry.compress_type != zipfile.ZIP_STORED:
        # torch stores; a compressed entry could unfold to any size.
        raise CheckpointError(f"the entry {name} of the zip is compressed, which torch.save never does")
    try:
        return archive.read(entry)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise CheckpointError(f"the file is damaged or cut off: {error}") from None


def read_legacy(path: Path) -> Any:
    """What torch.save put into a file without a zip. Raises CheckpointError."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as stream:
        if unpickle(stream, _no_storage) != MAGIC or unpickle(stream, _no_storage) != VERSION:
            raise CheckpointError("the pickle was not written by torch.save")
        system = unpickle(stream, _no_storage)
        if not isinstance(system, dict):
            raise CheckpointError("the file is damaged: it does not tell the order of bytes")
        order = "<" if system.get("little_endian", True) else ">"
        storages: dict[str, Storage] = {}
        contents: dict[str, bytes] = {}

        def storage(reference: Any) -> Storage:
            kind, key = _reference(reference)
            if len(reference) > 5 and reference[5] is not None:
                raise CheckpointError("the file holds views of storages, which only torch before 0.4 wrote")
            if key not in storages:
                storages[key] = Storage(kind, order, lambda: contents[key])
            return storages[key]

        value = unpickle(stream, storage)
        keys = unpickle(stream, _no_storage)
        for key in keys if isinstance(keys, list) else ():
            kind = storages[key].dtype if isinstance(key, str) and key in storages else None
            if kind is None:
                raise CheckpointError("the file is damaged: it holds a storage that nothing refers to")
            contents[key] = _numbers(stream, kind, order)
        if set(contents) != set(storages):
            raise CheckpointError("the file is damaged: storages are missing")
        return value


def _numbers(stream: mmap.mmap, dtype: str, order: str) -> bytes:
    count = int.from_bytes(stream.read(8), "little" if order == "<" else "big", signed=True)
    length = count * int(DTYPES[dtype][1:])
    if not 0 <= length <= len(stream) - stream.tell():
        raise CheckpointError("the file is damaged or cut off: it ends within a storage")
    return stream.read(length)


def _reference(reference: Any) -> tuple[str | None, str]:
    """The dtype and the key of a storage. Raises CheckpointError."""
    if not isinstance(reference, tuple) or len(reference) < 5 or reference[0] != "storage":
        raise CheckpointError("the file is damaged: it refers to something that is no storage")
    if not isinstance(reference[2], str):
        raise CheckpointError("the file is damaged: a storage has no name")
    return storage_dtype(reference[1]), reference[2]


def _no_storage(reference: Any) -> Storage:
    raise CheckpointError("the file is damaged: a storage is referred to where there are none")
