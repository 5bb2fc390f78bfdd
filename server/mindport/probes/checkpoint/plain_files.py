"""Files of weights that hold nothing but arrays: safetensors and NumPy's npz."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy

from .stored import DTYPES, CheckpointError, Storage, StoredTensor

_DTYPES = {
    "F64": "float64",
    "F32": "float32",
    "F16": "float16",
    "BF16": "bfloat16",
    "C64": "complex64",
    "I64": "int64",
    "I32": "int32",
    "I16": "int16",
    "I8": "int8",
    "U64": "uint64",
    "U32": "uint32",
    "U16": "uint16",
    "U8": "uint8",
    "BOOL": "bool",
}


def read_safetensors(path: Path) -> dict[str, StoredTensor]:
    """The tensors by name. Raises CheckpointError."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        size = file.seek(0, 2)
        file.seek(8)
        header = file.read(length) if length <= size - 8 else b""
        try:
            rows = json.loads(header.decode("utf-8"))
            return {
                name: _row(row, path, 8 + length, size)
                for name, row in rows.items()
                if name != "__metadata__"
            }
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise CheckpointError(f"the file is damaged, or no safetensors file: {error}") from None


def _row(row: dict[str, Any], path: Path, start: int, size: int) -> StoredTensor:
    if row["dtype"] not in _DTYPES:
        raise CheckpointError(f"tensors of dtype {row['dtype']} cannot be read")
    dtype = _DTYPES[row["dtype"]]
    first, end = row["data_offsets"]
    shape = tuple(row["shape"])
    if not 0 <= first <= end <= size - start:
        raise CheckpointError("the file is damaged or cut off: a tensor reaches beyond its end")
    if end - first != numpy.prod(shape, dtype=object) * int(DTYPES[dtype][1:]):
        raise CheckpointError(f"the file is damaged: a tensor of shape {shape} takes {end - first} bytes")

    def load() -> bytes:
        with path.open("rb") as file:
            file.seek(start + first)
            return file.read(end - first)

    return StoredTensor(Storage(dtype, "<", load), dtype, shape, 0, None)


def read_npz(path: Path) -> dict[str, StoredTensor]:
    """The arrays by name. Raises CheckpointError."""
    try:
        with numpy.load(path, allow_pickle=False) as arrays:
            return {name: _stored(name, arrays[name]) for name in arrays.files}
    except (zipfile.BadZipFile, ValueError, EOFError, OSError) as error:
        raise CheckpointError(f"the file is damaged or cut off: {error}") from None


def _stored(name: str, array: Any) -> StoredTensor:
    if array.dtype.name not in DTYPES:
        raise CheckpointError(f"{name}: arrays of dtype {array.dtype} cannot be read")
    content = array.astype(array.dtype.newbyteorder("<")).tobytes()
    storage = Storage(array.dtype.name, "<", lambda: content)
    return StoredTensor(storage, array.dtype.name, array.shape, 0, None)
